package dev.muster.ingest.intake;

import dev.muster.service.ServiceProcess;

/** The intake as a process of its own; see {@link IntakeService} for its settings. */
public final class IntakeMain {
    private IntakeMain() {}

    /** Runs until the process is told to end. */
    public static void main(String[] args) {
        Runtime.getRuntime().exit(ServiceProcess.run(new IntakeService(), args, System.getenv()));
    }
}
