package dev.muster.standalone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/** How soon a scheduler is back: a journal replayed by the core and through Kafka, and a process started after a kill. */
public final class RestoreBench {
    private RestoreBench() {}

    /**
     * Runs it all on an empty data directory.
     *
     * @param progress where to say what is going on
     */
    public static RestoreReport run(RestoreOptions options, Path dataDir, PrintStream progress)
            throws IOException, InterruptedException {
        Optional<RestoreReport.Restart> restart = options.nodes() == 0
                ? Optional.empty()
                : Optional.of(RestartBench.run(options, dataDir.resolve("restart"), progress));
        Optional<RestoreReport.Replay> replay = options.entries() == 0
                ? Optional.empty()
                : Optional.of(ReplayBench.run(options.entries(), dataDir.resolve("replay"), progress));
        return new RestoreReport(replay, restart, Machine.read());
    }
}
