package dev.muster.binder;

import dev.muster.binder.Progress.Bound;
import dev.muster.binder.Progress.Failed;
import dev.muster.schemas.common.NumaShare;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberPlacement;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.PlaceGang;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** One carrying out of one placement: what all its members share. */
final class GangRun {

    /** The member that the gang fails with. */
    private record Doom(Member member, Failed failed) {
        Failed forOthers() {
            return new Failed(
                    failed.why(), "not without pod " + member.placement().getName() + ": " + failed.message());
        }
    }

    /**
     * A claim that has to be bound before its members are.
     *
     * @param volume volume that it gets; empty where one is made for the node
     * @param members which of the run's members use it
     */
    record Claim(String namespace, String name, String volume, String node, List<Integer> members) {
        String path() {
            return namespace + "/" + name;
        }
    }

    static final Failed TAKEN_BACK = new Failed(Failure.FENCED, "taken back by a later decision");

    private static final Failed STOOD_STILL =
            new Failed(Failure.DEADLINE, "the binder stood still: the placement may have been taken back meanwhile");

    private final Decision decision;
    private final PlaceGang place;
    private final List<Member> members;
    private final List<Claim> claims;
    private final Map<String, String> nodeUids;
    private final JobIdentity job;
    private final Budget budget;
    private final Halt halt;
    private final AtomicReference<Doom> doomed = new AtomicReference<>();

    GangRun(Decision decision, PlaceGang place, Budget budget, Halt halt) {
        this.decision = decision;
        this.place = place;
        this.members = Member.of(place);
        this.claims = claims(place, members);
        this.nodeUids = new HashMap<>();
        for (NodePlacement node : place.getNodes()) {
            nodeUids.put(node.getNode(), node.getNodeUid());
        }
        this.job = JobIdentity.ofWorkload(decision.getWorkload());
        this.budget = budget;
        this.halt = halt;
    }

    PlaceGang place() {
        return place;
    }

    List<Member> members() {
        return members;
    }

    /** What decisions count through the nodes, as it stands among the members. */
    private static List<Claim> claims(PlaceGang place, List<Member> members) {
        if (place.getClaims().isEmpty()) {
            return List.of();
        }
        Map<MemberPlacement, Integer> numbers = new IdentityHashMap<>();
        for (int i = 0; i < members.size(); i++) {
            numbers.put(members.get(i).placement(), i);
        }
        List<Integer> inOrder = place.getNodes().stream()
                .flatMap(node -> node.getMembers().stream())
                .map(numbers::get)
                .toList();
        return place.getClaims().stream()
                .map(claim -> new Claim(
                        place.getNamespace(),
                        claim.getClaim().substring(claim.getClaim().indexOf('/') + 1),
                        claim.getVolume(),
                        claim.getNode(),
                        claim.getMembers().stream().map(inOrder::get).toList()))
                .toList();
    }

    List<Claim> claims() {
        return claims;
    }

    JobIdentity job() {
        return job;
    }

    Halt halt() {
        return halt;
    }

    String decisionId() {
        return decision.getId();
    }

    long attempt() {
        return decision.getAttempt();
    }

    String nodeUid(String node) {
        return nodeUids.get(node);
    }

    Patience patience(Patience.Spacing spacing) {
        return Patience.within(budget, spacing, halt);
    }

    /**
     * Whether the pod of this member is to be made. One that was there when the decision was made is not made again.
     */
    boolean creates(Member member) {
        return place.getCreate() && member.placement().getUid().isEmpty();
    }

    Map<String, String> annotations(Member member) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(Marks.DECISION, decision.getId());
        annotations.put(Marks.ATTEMPT, Long.toString(decision.getAttempt()));
        List<Integer> devices = member.placement().getDevices();
        if (!devices.isEmpty()) {
            annotations.put(
                    Marks.GPU_DEVICES, devices.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        int numa = member.placement().getNuma();
        if (numa >= 0) {
            annotations.put(
                    Marks.NUMA_NODES,
                    written(place.getNumaPlacements().get(numa).getShares()));
        }
        return annotations;
    }

    /** Zones with what comes from them: {@code node-0 cpu=8000 nvidia.com/gpu=4; node-1 nvidia.com/gpu=2}. */
    private static String written(List<NumaShare> shares) {
        Map<String, StringBuilder> byZone = new LinkedHashMap<>();
        for (NumaShare share : shares) {
            byZone.computeIfAbsent(share.getZone(), zone -> new StringBuilder(zone))
                    .append(' ')
                    .append(share.getResource())
                    .append('=')
                    .append(share.getAmount());
        }
        return String.join("; ", byZone.values());
    }

    /** Remembers that the gang can't be bound whole any more, so that other members are not bound in vain. */
    Failed fail(Member member, Failed failed) {
        if (place.getGang()) {
            doomed.compareAndSet(null, new Doom(member, failed));
        }
        return failed;
    }

    /** Why no further member is to be bound; empty while there is no reason. */
    Optional<Failed> endOf() {
        Optional<Failed> end = endOfWait();
        return end.isEmpty() && !halt.isUpToDate() ? Optional.of(STOOD_STILL) : end;
    }

    /** Why nothing is to be waited for any more. While it only waits, a binder may miss for a moment what is decided. */
    Optional<Failed> endOfWait() {
        halt.checkOpen();
        if (halt.isRevoked()) {
            return Optional.of(TAKEN_BACK);
        }
        if (doomed.get() != null) {
            return Optional.of(doomed.get().forOthers());
        }
        return budget.spent()
                ? Optional.of(new Failed(Failure.DEADLINE, "not bound before the placement's deadline"))
                : Optional.empty();
    }

    /** Whether the placement has to be taken back whole. */
    boolean broken(List<Progress> progress) {
        return place.getGang() && progress.stream().anyMatch(Failed.class::isInstance);
    }

    /** What to say of members that failed only because another one did. */
    Failed causeOf(List<Progress> progress) {
        for (int i = 0; i < progress.size() && doomed.get() == null; i++) {
            if (progress.get(i) instanceof Failed failed) {
                fail(members.get(i), failed);
            }
        }
        if (doomed.get() != null) {
            return doomed.get().forOthers();
        }
        throw new IllegalStateException("nothing failed in decision " + decisionId());
    }

    /** Evictions may be asked for until the placement's deadline: no longer may the gang be half bound. */
    TakeBack.Order takeBackOrder() {
        return new TakeBack.Order(decisionId(), job, decisionId(), attempt(), budget);
    }

    OutcomeStatus status(List<Progress> progress, Seal seal) {
        long bound = progress.stream().filter(Bound.class::isInstance).count();
        if (seal.bound() && bound == members.size()) {
            return OutcomeStatus.BOUND;
        }
        if (seal.bound() && bound > 0) {
            return OutcomeStatus.PARTLY_BOUND;
        }
        boolean fenced = progress.stream()
                .anyMatch(each -> each instanceof Failed(Failure why, String message) && why == Failure.FENCED);
        return fenced ? OutcomeStatus.SUPERSEDED : OutcomeStatus.COMPENSATED;
    }

    static boolean refused(List<Progress> progress) {
        return progress.stream()
                .anyMatch(each -> each instanceof Failed(Failure why, String message) && why == Failure.REFUSED);
    }

    static MemberOutcome bound(Member member, PodState pod) {
        return member.outcome(MemberStatus.BOUND, pod, "", "");
    }
}
