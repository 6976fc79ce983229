package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.ClaimPlacement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What claims of the members of one record get, each written once, with the members that use it. */
final class ClaimPlacements {
    private static final Comparator<ClaimPlacement> BY_CLAIM = Comparator.comparing(ClaimPlacement::claim)
            .thenComparing(ClaimPlacement::volume)
            .thenComparing(ClaimPlacement::node);

    private final Map<ClaimPlacement, List<Integer>> users = new TreeMap<>(BY_CLAIM);
    private int members;

    /** What the next member's claims get. */
    void next(List<ClaimPlacement> claims) {
        for (ClaimPlacement claim : claims) {
            users.computeIfAbsent(claim, first -> new ArrayList<>()).add(members);
        }
        members++;
    }

    /** All of them, by claim: each member's are in that order, too. */
    List<dev.muster.schemas.common.ClaimPlacement> written() {
        List<dev.muster.schemas.common.ClaimPlacement> all = new ArrayList<>(users.size());
        users.forEach((claim, using) -> all.add(
                new dev.muster.schemas.common.ClaimPlacement(claim.claim(), claim.volume(), claim.node(), using)));
        return all;
    }

    static Reader read(List<dev.muster.schemas.common.ClaimPlacement> from) {
        Reader reader = none();
        for (dev.muster.schemas.common.ClaimPlacement each : from) {
            ClaimPlacement placement = new ClaimPlacement(
                    Checks.id("claims.claim", each.getClaim()),
                    Checks.nameOrEmpty("claims.volume", each.getVolume()),
                    Checks.nameOrEmpty("claims.node", each.getNode()));
            for (int member : each.getMembers()) {
                reader.byMember
                        .computeIfAbsent(member, first -> new ArrayList<>())
                        .add(placement);
            }
        }
        return reader;
    }

    /** Of a record without claims. */
    static Reader none() {
        return new Reader();
    }

    /** Hands out what was read, member by member. */
    static final class Reader {
        private final Map<Integer, List<ClaimPlacement>> byMember = new HashMap<>();
        private int members;

        List<ClaimPlacement> next() {
            return byMember.getOrDefault(members++, List.of());
        }
    }
}
