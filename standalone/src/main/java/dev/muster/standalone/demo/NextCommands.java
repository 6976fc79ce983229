package dev.muster.standalone.demo;

import dev.muster.schemas.decision.WorkloadStatus;
import java.util.List;

/** Commands worth trying after a demo, as they can be typed. */
final class NextCommands {
    private static final String NEW_DATA_DIR = "./muster-data";

    private NextCommands() {}

    /** @param dataDir where the demo kept its topics; empty where it did not */
    static List<String> after(DemoOptions options, Snapshot last, String dataDir) {
        String program = quoted(options.program());
        if (dataDir.isEmpty()) {
            return List.of(
                    program + " demo" + again(options.source()) + " --data-dir " + NEW_DATA_DIR,
                    program + " replay --verify --data-dir " + NEW_DATA_DIR,
                    program + " demo --nodes 256 --seed 2");
        }
        String where = " --data-dir " + quoted(dataDir);
        return List.of(
                program + " replay --verify" + where,
                program + " jobs" + where,
                last.waiting().isEmpty()
                        ? program + " nodes" + where
                        : program + " explain " + name(last.waiting().get(0)) + where);
    }

    private static String again(DemoOptions.Source source) {
        return switch (source) {
            case DemoOptions.Waves waves ->
                " --nodes " + waves.nodes() + (waves.seed() == 1 ? "" : " --seed " + waves.seed()) + " --until-done";
            case DemoOptions.Trace trace ->
                " --trace openb --nodes " + quoted(trace.nodes().toString()) + " --pods "
                        + quoted(trace.pods().toString());
        };
    }

    private static String name(WorkloadStatus workload) {
        return workload.getNamespace() + "/" + workload.getName();
    }

    private static String quoted(String word) {
        return word.matches("[\\w./:@%+=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
