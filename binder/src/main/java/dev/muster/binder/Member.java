package dev.muster.binder;

import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberPlacement;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.PlaceGang;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A member of a decision.
 *
 * @param key where its pod is found
 * @param placement as decided
 * @param node the node it is to run on; empty where the decision names none
 */
record Member(PodKey key, MemberPlacement placement, String node) {

    private static final Comparator<Member> BY_POD_SET_AND_INDEX = Comparator.<Member>comparingInt(
                    m -> m.placement().getPodSet())
            .thenComparingInt(m -> m.placement().getIndex())
            .thenComparing(m -> m.placement().getName());

    static List<Member> of(PlaceGang place) {
        List<Member> members = new ArrayList<>();
        for (NodePlacement node : place.getNodes()) {
            for (MemberPlacement placement : node.getMembers()) {
                members.add(
                        new Member(new PodKey(place.getNamespace(), placement.getName()), placement, node.getNode()));
            }
        }
        members.sort(BY_POD_SET_AND_INDEX);
        return members;
    }

    static List<Member> of(String namespace, List<MemberPlacement> placements) {
        return placements.stream()
                .map(placement -> new Member(new PodKey(namespace, placement.getName()), placement, ""))
                .sorted(BY_POD_SET_AND_INDEX)
                .toList();
    }

    /**
     * Whether this is the pod that was decided on. Without a uid in the decision, the pod must be of the job that it
     * is about.
     */
    boolean isOf(PodState pod, JobIdentity job) {
        String uid = placement.getUid();
        if (!uid.isEmpty()) {
            return uid.equals(pod.uid());
        }
        return !job.equals(JobIdentity.NONE) && job.equals(pod.owner());
    }

    /** How it ended, where its pod was seen. */
    MemberOutcome outcome(MemberStatus status, PodState pod, String reason, String message) {
        return outcome(status, pod.uid(), reason, message, pod.version());
    }

    /** There is no pod of it. */
    MemberOutcome gone(String reason, String message) {
        return outcome(MemberStatus.GONE, placement.getUid(), reason, message, 0);
    }

    private MemberOutcome outcome(MemberStatus status, String uid, String reason, String message, long version) {
        return new MemberOutcome(
                placement.getPodSet(),
                placement.getIndex(),
                placement.getName(),
                uid,
                status,
                reason,
                message,
                version);
    }
}
