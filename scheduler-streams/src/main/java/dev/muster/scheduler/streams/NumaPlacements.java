package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.NumaPlacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The different ways in which members of one record get something from NUMA nodes, each written once. */
final class NumaPlacements {
    private static final int NONE = -1;

    private final Map<NumaPlacement, Integer> known = new LinkedHashMap<>();

    /** Where the record has it; -1 for nothing. Asked before the list is written. */
    int indexOf(NumaPlacement placement) {
        if (placement.isEmpty()) {
            return NONE;
        }
        int next = known.size();
        Integer before = known.putIfAbsent(placement, next);
        return before == null ? next : before;
    }

    /** All that were asked for, in that order. */
    List<dev.muster.schemas.common.NumaPlacement> written() {
        List<dev.muster.schemas.common.NumaPlacement> all = new ArrayList<>(known.size());
        known.keySet()
                .forEach(placement -> all.add(
                        new dev.muster.schemas.common.NumaPlacement(RequirementCodec.writeNuma(placement.shares()))));
        return all;
    }

    static List<NumaPlacement> read(List<dev.muster.schemas.common.NumaPlacement> from) {
        return Checks.each(
                "numaPlacements",
                from,
                Checks.PODS,
                placement -> RequirementCodec.numa("shares", placement.getShares()));
    }

    static NumaPlacement at(List<NumaPlacement> placements, int index) {
        return Checks.between("numa", index, NONE, placements.size() - 1) == NONE
                ? NumaPlacement.NONE
                : placements.get(index);
    }
}
