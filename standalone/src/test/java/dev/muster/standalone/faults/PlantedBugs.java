package dev.muster.standalone.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Plants known bugs, one at a time, and plays seeds until one fails: whether the simulation looks where it should. Sources
 * are never touched: the changed file is compiled into a directory of its own, which a process of its own has first on its
 * class path. Arguments: the root of the checkout, then names of bugs (all unless said otherwise).
 */
public final class PlantedBugs {
    private static final int SEEDS = 200;
    private static final String CORE = "scheduler-streams/src/main/java/dev/muster/scheduler/core/";
    private static final String BINDER = "binder/src/main/java/dev/muster/binder/";
    private static final String INGEST = "topology-ingest/src/main/java/dev/muster/ingest/";

    /** A bug: in a file, this text (which is there once) becomes that. */
    private record Bug(String name, String file, String before, String after) {}

    private static final List<Bug> BUGS = List.of(
            new Bug(
                    "a lost rollback",
                    CORE + "state/Overlay.java",
                    "            last.node().give(last.member().requirement(), last.devices(), last.numa());\n",
                    ""),
            new Bug(
                    "a hold that is not released",
                    CORE + "state/Outcomes.java",
                    "        members.holds.release(held);\n        state.freeRoom();\n        return true;",
                    "        state.freeRoom();\n        return true;"),
            new Bug(
                    "a decision applied twice",
                    CORE + "round/Decisions.java",
                    "        made.add(new Decision(nextId(), timeMillis, workload.id(), attempt, action));\n",
                    "        made.add(new Decision(nextId(), timeMillis, workload.id(), attempt, action));\n"
                            + "        made.add(new Decision(nextId(), timeMillis, workload.id(), attempt, action));\n"),
            new Bug(
                    "a missed deletion after a list",
                    INGEST + "publish/ChangeFilter.java",
                    "        missing.sort(",
                    "        missing.clear();\n        missing.sort("),
            new Bug(
                    "an iteration over a hash map in a round",
                    CORE + "round/Round.java",
                    "new Surplus(parts).place(started);",
                    "new Surplus(parts).place(List.copyOf(new java.util.HashSet<>(started)));"),
            new Bug(
                    "room free at the deletion timestamp",
                    CORE + "model/PodFacts.java",
                    "return !node.isEmpty() && !terminal();",
                    "return !node.isEmpty() && !terminal() && !deleting;"),
            new Bug(
                    "a dropped uid check",
                    BINDER + "Member.java",
                    "            return uid.equals(pod.uid());",
                    "            return true;"),
            new Bug(
                    "a skipped epoch",
                    CORE + "state/PodFactsTaker.java",
                    "return cluster != null && origin.epoch() < cluster.beganEpoch(Kinds.POD);",
                    "return false;"),
            new Bug(
                    "an offset committed before the outcome",
                    BINDER + "OffsetLedger.java",
                    "return unfinished.isEmpty() ? next : unfinished.first();",
                    "return next;"),
            new Bug(
                    "a fence that is not written",
                    BINDER + "TakeBack.java",
                    "                api.annotate(pod, order.fence(failed.why()));\n",
                    ""),
            new Bug(
                    "a stale resource version that is accepted",
                    BINDER + "Fabric8ClusterApi.java",
                    "                .withResourceVersion(seen.resourceVersion())\n                .withAnnotations",
                    "                .withAnnotations"),
            new Bug(
                    "an outcome of an older attempt that settles a newer one",
                    CORE + "state/Outcomes.java",
                    "case BOUND, PARTLY_BOUND, COMPENSATED, SUPERSEDED -> hold.decision.equals(outcome.decision());",
                    "case BOUND, PARTLY_BOUND, COMPENSATED, SUPERSEDED -> true;"));

    private PlantedBugs() {}

    /** Plants bug after bug; exits with 1 when one was not found. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path root = Path.of(args[0]).toAbsolutePath();
        List<String> names = List.of(args).subList(1, args.length);
        List<String> rotten = rotten(root);
        if (!rotten.isEmpty()) {
            throw new IllegalStateException("what they change is not in their files once: " + rotten);
        }
        int missed = 0;
        for (Bug bug : BUGS) {
            if (names.isEmpty() || names.contains(bug.name)) {
                String found = plant(root, bug);
                missed += found.isEmpty() ? 1 : 0;
                System.out.println(
                        bug.name + ": " + (found.isEmpty() ? "NOT FOUND within " + SEEDS + " seeds" : found));
            }
        }
        Runtime.getRuntime().exit(missed == 0 ? 0 : 1);
    }

    /** Names of bugs that can't be planted any more: what they change is not in their file once. */
    static List<String> rotten(Path root) throws IOException {
        List<String> rotten = new ArrayList<>();
        for (Bug bug : BUGS) {
            String source = Files.readString(root.resolve(bug.file));
            int at = source.indexOf(bug.before);
            if (at < 0 || source.indexOf(bug.before, at + 1) >= 0) {
                rotten.add(bug.name);
            }
        }
        return rotten;
    }

    private static String plant(Path root, Bug bug) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("planted");
        try {
            String source = Files.readString(root.resolve(bug.file));
            Path changed = directory.resolve(Path.of(bug.file).getFileName());
            Files.writeString(changed, source.replace(bug.before, bug.after));
            Path classes = Files.createDirectory(directory.resolve("classes"));
            int code = ToolProvider.getSystemJavaCompiler()
                    .run(
                            null,
                            null,
                            null,
                            "-nowarn",
                            "-proc:none",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-d",
                            classes.toString(),
                            changed.toString());
            if (code != 0) {
                throw new IllegalStateException(bug.name + " does not compile");
            }
            return search(classes);
        } finally {
            delete(directory);
        }
    }

    /** Plays seeds with the bug; the line that says which one failed, and how. */
    private static String search(Path classes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx768m",
                "-XX:+UseSerialGC",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Donce=true",
                "-Dnoshrink=true",
                "-Dfailures=1",
                "-cp",
                classes + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                FaultSimulation.class.getName(),
                "1",
                Integer.toString(SEEDS)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String found = "";
        try (var lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (found.isEmpty() && line.startsWith("seed ") && line.contains(" failed: ")) {
                    found = line.length() > 240 ? line.substring(0, 240) : line;
                }
            }
        }
        process.waitFor();
        return found;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(java.util.Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
