package dev.muster.binder;

import dev.muster.service.ServiceProcess;

/** The binder of one member cluster as a process of its own; see {@link BinderService} for its settings. */
public final class BinderMain {
    private BinderMain() {}

    /** Runs until the process is told to end. */
    public static void main(String[] args) {
        Runtime.getRuntime().exit(ServiceProcess.run(new BinderService(), args, System.getenv()));
    }
}
