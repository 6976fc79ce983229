package dev.muster.binder;

import dev.muster.schemas.common.ClaimPlacement;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.MemberPlacement;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.PlacedPodSet;
import dev.muster.schemas.decision.Revoke;
import dev.muster.schemas.decision.RevokeReason;
import dev.muster.schemas.decision.Victim;
import java.util.ArrayList;
import java.util.List;

/** Decisions to try. */
final class Decisions {

    static final String CLUSTER = "east";
    static final String DOMAIN = "main";
    static final String GROUP = "east/ml/VolcanoPodGroup/train";
    static final String JOB = "acme/Job/train";
    static final long DEADLINE_MILLIS = FakeClock.START_MILLIS + 30_000;

    private Decisions() {}

    static Decision decision(String id, String workload, long attempt, Object action) {
        return new Decision(id, DOMAIN, attempt, 0, FakeClock.START_MILLIS, workload, attempt, action);
    }

    static MemberPlacement member(int index, String uid) {
        return new MemberPlacement(0, index, "p-" + index, uid, List.of(), -1);
    }

    /** Pods p-0 … with uids u-0 …, each on a node of its own: n-0 … with uids nu-0 …. */
    static PlaceGang gangOf(int size) {
        return placement(size, true, false);
    }

    static PlaceGang surplusOf(int size) {
        return placement(size, false, false);
    }

    static PlaceGang createdGangOf(int size) {
        return placement(size, true, true);
    }

    /** The same placement, each pod p-i with a claim c-i for which a volume is made on its node. */
    static PlaceGang making(PlaceGang place) {
        return claiming(place, false);
    }

    /** The same placement, each pod p-i with a claim c-i that gets the volume d-i. */
    static PlaceGang taking(PlaceGang place) {
        return claiming(place, true);
    }

    private static PlaceGang claiming(PlaceGang place, boolean existing) {
        List<ClaimPlacement> claims = new ArrayList<>();
        for (int i = 0; i < place.getNodes().size(); i++) {
            claims.add(new ClaimPlacement(
                    FakeCluster.NAMESPACE + "/c-" + i, existing ? "d-" + i : "", existing ? "" : "n-" + i, List.of(i)));
        }
        place.setClaims(claims);
        return place;
    }

    private static PlaceGang placement(int size, boolean gang, boolean create) {
        List<NodePlacement> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(new NodePlacement("n-" + i, "nu-" + i, List.of(member(i, create ? "" : "u-" + i))));
        }
        return new PlaceGang(
                CLUSTER,
                FakeCluster.NAMESPACE,
                gang,
                create,
                List.of(new PlacedPodSet("worker", create ? "t1" : "", List.of(), List.of())),
                nodes,
                DEADLINE_MILLIS,
                List.of(),
                List.of());
    }

    static Revoke revoke(String decisionId, int size) {
        List<MemberPlacement> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(member(i, "u-" + i));
        }
        return new Revoke(decisionId, CLUSTER, FakeCluster.NAMESPACE, RevokeReason.DEADLINE, members);
    }

    static Evict evict(Victim... victims) {
        return new Evict(CLUSTER, FakeCluster.NAMESPACE, List.of(victims), "LowerPriority", DEADLINE_MILLIS);
    }

    static Victim victim(int index, String uid, String budget) {
        return new Victim(GROUP, true, FakeCluster.NAMESPACE, "p-" + index, uid, "n-" + index, budget);
    }

    static DeletePods delete(MemberPlacement... members) {
        return new DeletePods(CLUSTER, FakeCluster.NAMESPACE, List.of(members), "Cancelled");
    }
}
