package dev.muster.standalone.faults;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;

/**
 * Plays seeds of the fault simulation from the command line: {@code FROM [TO]}. Each seed runs twice and has to publish the
 * same bytes both times. A seed that fails is printed with the command that repeats it, and shrunk.
 */
public final class FaultSimulation {
    private FaultSimulation() {}

    /** Plays the seeds; exits with 1 when any failed. */
    public static void main(String[] args) {
        quiet();
        long from = Long.parseLong(args[0]);
        long to = args.length > 1 ? Long.parseLong(args[1]) : from;
        boolean once = Boolean.getBoolean("once");
        int stopAfter = Integer.getInteger("failures", 5);
        long startNanos = System.nanoTime();
        Map<Fault, long[]> coverage = new EnumMap<>(Fault.class);
        Map<String, long[]> seen = new TreeMap<>();
        int failed = 0;
        long records = 0;
        long decisions = 0;
        long virtual = 0;
        long seed = from;
        for (; seed <= to && failed < stopAfter; seed++) {
            long beganNanos = System.nanoTime();
            Simulation.Result result = once ? Simulation.run(Simulation.Play.of(seed)) : twice(seed);
            records += result.records();
            decisions += result.decisions();
            virtual += result.virtualMillis();
            result.struck().forEach((fault, times) -> {
                long[] counts = coverage.computeIfAbsent(fault, none -> new long[2]);
                counts[0]++;
                counts[1] += times;
            });
            result.seen().forEach((what, times) -> {
                long[] counts = seen.computeIfAbsent(what, none -> new long[2]);
                counts[0]++;
                counts[1] += times;
            });
            if (Boolean.getBoolean("verbose")) {
                System.out.printf(
                        "seed %d %s %d ms (cpu so far %d ms): %d records, %d decisions, %d s%n",
                        seed,
                        result.passed() ? "passed" : "FAILED",
                        (System.nanoTime() - beganNanos) / 1_000_000,
                        ProcessHandle.current()
                                .info()
                                .totalCpuDuration()
                                .orElse(java.time.Duration.ZERO)
                                .toMillis(),
                        result.records(),
                        result.decisions(),
                        result.virtualMillis() / 1000);
            }
            if (!result.passed()) {
                failed++;
                System.out.println("seed " + seed + " failed: " + result.violation());
                System.out.println("  repeat: " + repeat(seed));
                System.out.println("  faults: " + result.struck());
                if (!Boolean.getBoolean("noshrink")) {
                    System.out.println("  needs:  " + shrink(seed));
                }
            }
        }
        long millis = (System.nanoTime() - startNanos) / 1_000_000;
        System.out.printf(
                "%d seeds, %d failed, %d records, %d decisions, %d virtual minutes in %d.%03d s%n",
                seed - from, failed, records, decisions, virtual / 60_000, millis / 1000, millis % 1000);
        for (Fault fault : Fault.values()) {
            long[] counts = coverage.getOrDefault(fault, new long[2]);
            System.out.printf("  %-32s in %6d seeds, %8d times%n", fault, counts[0], counts[1]);
        }
        seen.forEach(
                (what, counts) -> System.out.printf("  %-32s in %6d seeds, %8d times%n", what, counts[0], counts[1]));
        Runtime.getRuntime().exit(failed == 0 ? 0 : 1);
    }

    /** The command that plays one seed again. */
    static String repeat(long seed) {
        return "mvn -B -pl standalone -am test -Dtest=FaultSimulationTest -Dmuster.seed=" + seed
                + " -Dsurefire.failIfNoSpecifiedTests=false";
    }

    /** Plays a seed twice; what it published has to be the same. */
    static Simulation.Result twice(long seed) {
        Simulation.Result first = Simulation.run(Simulation.Play.of(seed));
        if (!first.passed()) {
            return first;
        }
        Simulation.Result second = Simulation.run(Simulation.Play.of(seed));
        boolean same = first.hash().equals(second.hash()) && first.records() == second.records();
        return same ? first : second.withViolation("two runs published different bytes: " + first + ", " + second);
    }

    /** Which kinds of faults a failing seed needs, and how many actions. */
    private static String shrink(long seed) {
        Set<Fault> without = EnumSet.noneOf(Fault.class);
        List<Fault> kinds =
                new ArrayList<>(Simulation.run(Simulation.Play.of(seed)).kinds());
        for (Fault fault : kinds) {
            Set<Fault> less = EnumSet.copyOf(without);
            less.add(fault);
            if (!Simulation.run(new Simulation.Play(seed, less, Integer.MAX_VALUE))
                    .passed()) {
                without = less;
            }
        }
        int actions = 150;
        for (int step = 64; step >= 1; step /= 2) {
            if (actions > step
                    && !Simulation.run(new Simulation.Play(seed, without, actions - step))
                            .passed()) {
                actions -= step;
            }
        }
        kinds.removeAll(without);
        Simulation.Result least = Simulation.run(new Simulation.Play(seed, without, actions));
        return kinds + ", " + actions + " actions: " + least.violation();
    }

    static void quiet() {
        ((Logger) LoggerFactory.getLogger("dev.muster")).setLevel(Level.toLevel(System.getProperty("log", "OFF")));
        ((Logger) LoggerFactory.getLogger("org.apache.kafka")).setLevel(Level.OFF);
    }
}
