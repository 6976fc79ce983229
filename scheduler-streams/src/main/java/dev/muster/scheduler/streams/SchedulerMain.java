package dev.muster.scheduler.streams;

import dev.muster.service.ServiceProcess;

/** The scheduler as a process of its own; see {@link SchedulerService} for its settings. */
public final class SchedulerMain {
    private SchedulerMain() {}

    /** Runs until the process is told to end. */
    public static void main(String[] args) {
        Runtime.getRuntime().exit(ServiceProcess.run(new SchedulerService(), args, System.getenv()));
    }
}
