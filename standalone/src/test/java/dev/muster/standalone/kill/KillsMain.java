package dev.muster.standalone.kill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The long form of {@link KillTest}: {@code KillsMain KILLS SEED [PART...]}. Kills parts at random moments under load,
 * says how long each recovery took, then judges the whole run. Ends with 1 when a promise was broken.
 */
final class KillsMain {
    private KillsMain() {}

    public static void main(String[] args) throws IOException {
        int kills = args.length > 0 ? Integer.parseInt(args[0]) : 100;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime();
        List<Part> parts = new ArrayList<>();
        for (int i = 2; i < args.length; i++) {
            parts.add(Part.valueOf(args[i]));
        }
        if (parts.isEmpty()) {
            parts.addAll(List.of(Part.SCHEDULER, Part.SCHEDULER, Part.BINDER, Part.BINDER, Part.INGEST, Part.INTAKE));
        }
        Path dir = Files.createTempDirectory("muster-kills");
        System.out.println(kills + " kills of " + parts + ", seed " + seed + ", logs in " + dir);
        boolean good = false;
        try {
            good = run(dir, kills, seed, parts);
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
        }
        // Also after a failure: threads of the harness would keep its processes alive.
        Runtime.getRuntime().exit(good ? 0 : 1);
    }

    private static boolean run(Path dir, int kills, long seed, List<Part> parts) {
        Random random = new Random(seed);
        Map<Part, List<Campaign.Recovery>> recoveries = new EnumMap<>(Part.class);
        try (Campaign campaign = Campaign.begin(dir, seed, false)) {
            try {
                for (int i = 0; i < kills; i++) {
                    campaign.untilSomeMoment();
                    Campaign.Recovery recovery = campaign.kill(parts.get(random.nextInt(parts.size())));
                    System.out.println((i + 1) + ": " + recovery);
                    recoveries
                            .computeIfAbsent(recovery.killed(), part -> new ArrayList<>())
                            .add(recovery);
                }
                campaign.settleAndVerify();
                System.out.println(campaign.load().submitted().size() + " workloads, "
                        + campaign.story().decisions().size() + " decisions, "
                        + campaign.oracle().bindings().size() + " bindings, "
                        + campaign.oracle().partials().size() + " times bound in part: nothing lost, nothing twice");
                return true;
            } catch (RuntimeException | Error e) {
                e.printStackTrace();
                System.out.println(campaign.installation().logs(40));
                System.out.println(campaign.installation().openTransactions());
                campaign.installation().dumpThreads(Part.SCHEDULER);
                return false;
            } finally {
                recoveries.forEach(KillsMain::print);
            }
        }
    }

    private static void print(Part part, List<Campaign.Recovery> recoveries) {
        System.out.println(part + ": " + recoveries.size() + " kills, first new "
                + (part == Part.INTAKE ? "answer" : "decision") + " after "
                + spread(recoveries.stream().map(Campaign.Recovery::toDecision).toList())
                + ", first new pod bound after "
                + spread(recoveries.stream().map(Campaign.Recovery::toBinding).toList()));
    }

    private static String spread(List<Long> millis) {
        List<Long> sorted = millis.stream().sorted(Comparator.naturalOrder()).toList();
        return "median " + sorted.get(sorted.size() / 2) + " ms, worst " + sorted.getLast() + " ms";
    }
}
