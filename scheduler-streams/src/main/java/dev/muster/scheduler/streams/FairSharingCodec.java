package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.FairSharing.Strategy;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.schemas.event.FairSharingSpec;
import dev.muster.schemas.event.ResourceWeight;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** How queues share, as part of the operator's policy. */
public final class FairSharingCodec {
    private static final List<String> STRATEGIES =
            Stream.of(Strategy.values()).map(Strategy::label).toList();
    private static final List<String> VOLCANO =
            Stream.of(VolcanoShare.values()).map(VolcanoShare::label).toList();
    private static final long LONGEST_MILLIS = 366 * 86_400_000L;
    private static final int MOST_WEIGHT_MILLI = 1_000_000;

    private FairSharingCodec() {}

    static FairSharing read(FairSharingSpec from) {
        TreeMap<String, Integer> weights = new TreeMap<>();
        for (ResourceWeight weight : from.getResourceWeights()) {
            weights.put(
                    Checks.name("resourceWeights.resource", weight.getResource()),
                    Checks.between("resourceWeights.weightMilli", weight.getWeightMilli(), 0, MOST_WEIGHT_MILLI));
        }
        return new FairSharing(
                from.getEnabled(),
                Checks.each("strategies", from.getStrategies(), Checks.ENTRIES, FairSharingCodec::strategy),
                Checks.between("hysteresisMilli", from.getHysteresisMilli(), 0, 1000),
                VolcanoShare.values()[VOLCANO.indexOf(Checks.oneOf("volcano", from.getVolcano(), VOLCANO))],
                Checks.between("usageHalfLifeMillis", from.getUsageHalfLifeMillis(), 0, LONGEST_MILLIS),
                Checks.between("usageSamplingMillis", from.getUsageSamplingMillis(), 1000, LONGEST_MILLIS),
                weights,
                from.getDrf());
    }

    private static Strategy strategy(String label) {
        return Strategy.values()[STRATEGIES.indexOf(Checks.oneOf("strategy", label, STRATEGIES))];
    }

    /** The settings as the operator's record states them. */
    public static FairSharingSpec write(FairSharing from) {
        return new FairSharingSpec(
                from.enabled(),
                Checks.map(from.strategies(), Strategy::label),
                from.hysteresisMilli(),
                from.volcano().label(),
                from.usageHalfLifeMillis(),
                from.usageSamplingMillis(),
                from.resourceWeightsMilli().entrySet().stream()
                        .map(weight -> new ResourceWeight(weight.getKey(), weight.getValue()))
                        .toList(),
                from.drf());
    }
}
