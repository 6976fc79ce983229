package dev.muster.standalone.faults;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Which faults a seed has, how often each strikes, and when. Each kind draws from a source of its own, so that leaving one
 * out (to shrink a failing seed) changes nothing about when the others strike.
 */
final class FaultPlan {
    /** Share of the kinds that a seed has, drawn per seed between these: some seeds are calm, some are not. */
    private static final double FEWEST = 0.05;

    private static final double MOST = 0.6;

    private final Map<Fault, Double> rates = new EnumMap<>(Fault.class);
    private final Map<Fault, SplittableRandom> sources = new EnumMap<>(Fault.class);
    private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
    private boolean healed;

    FaultPlan(long seed, Set<Fault> without) {
        SplittableRandom random = new SplittableRandom(seed);
        double share = FEWEST + (MOST - FEWEST) * random.nextDouble();
        for (Fault fault : Fault.values()) {
            boolean has = random.nextDouble() < share;
            double rate = fault.least * Math.pow(fault.most / fault.least, random.nextDouble());
            sources.put(fault, new SplittableRandom(seed * 1_000_003 + fault.ordinal()));
            if (has && !without.contains(fault)) {
                rates.put(fault, rate);
            }
        }
    }

    /** Whether it strikes at this chance. */
    boolean strikes(Fault fault) {
        Double rate = rates.get(fault);
        if (rate == null || healed || sources.get(fault).nextDouble() >= rate) {
            return false;
        }
        struck.merge(fault, 1, Integer::sum);
        return true;
    }

    /** A number that belongs to a fault which struck: from {@code least} to {@code most}, small ones more often. */
    long amount(Fault fault, long least, long most) {
        double part = sources.get(fault).nextDouble();
        return least + (long) ((most - least) * part * part);
    }

    /** From now on nothing strikes. */
    void heal() {
        healed = true;
    }

    boolean healed() {
        return healed;
    }

    Set<Fault> kinds() {
        return rates.isEmpty() ? EnumSet.noneOf(Fault.class) : EnumSet.copyOf(rates.keySet());
    }

    /** How often each kind struck. */
    Map<Fault, Integer> struck() {
        return struck;
    }
}
