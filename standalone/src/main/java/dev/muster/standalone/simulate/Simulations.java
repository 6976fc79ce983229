package dev.muster.standalone.simulate;

import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.standalone.trace.OpenbTrace;
import java.io.IOException;
import java.nio.file.Path;

/** Entry to simulations for the command line. */
public final class Simulations {
    private Simulations() {}

    /**
     * Plays a trace in openb's format.
     *
     * @throws dev.muster.standalone.trace.TraceFormatException at the first line that can't be used
     */
    public static SimulationReport openb(Path nodes, Path pods, String strategy) throws IOException {
        return TraceSimulation.run(OpenbTrace.read(nodes, pods), SchedulerPolicy.DEFAULT.withStrategy(strategy));
    }
}
