package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.round.GangPlacer.Shortage;
import dev.muster.scheduler.core.round.Preemption.Refusals;
import dev.muster.scheduler.core.rule.Fit;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.rule.VolumeFilter;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms.Refusal;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says in numbers why pods found no room. Asked when all that fits has been placed: room does not change any more. */
final class Explainer {
    private static final String RESOURCES = "Resources";
    private static final String NUMA_AFFINITY = "NumaAffinity";
    private static final String GPU_LINK = "GpuLink";
    private static final int MAX_CLAUSES = 3;

    private final DomainState state;
    private final Profile profile;
    private final Map<Asked, Findings> known = new HashMap<>();

    Explainer(DomainState state, Profile profile) {
        this.state = state;
        this.profile = profile;
    }

    private record Asked(String cluster, InternedRequirement requirement, Stance stance) {}

    /** What a look at all nodes found: how many there are, pods they could hold if empty, and what keeps pods out now. */
    private record Findings(int nodes, long roomWhenEmpty, List<Reason.Detail> details) {}

    private record Cause(String rule, String subject) implements Comparable<Cause> {
        @Override
        public int compareTo(Cause other) {
            int byRule = rule.compareTo(other.rule);
            return byRule != 0 ? byRule : subject.compareTo(other.subject);
        }
    }

    private static final class Tally {
        private int nodes;
        private long asked;
        private long largestFree;
    }

    /** Why a gang found too little room in a cluster. */
    Reason noRoom(ClusterState cluster, Shortage shortage, boolean gang) {
        Findings findings = known.computeIfAbsent(
                new Asked(cluster.name(), shortage.requirement(), shortage.stance()),
                asked -> look(cluster, shortage.requirement(), shortage.stance()));
        if (shortage.noDomain() != null && shortage.noDomain().wish() == null) {
            return unknownLevel(cluster, shortage);
        }
        boolean never = gang && findings.roomWhenEmpty() < shortage.wanted();
        if (!never && shortage.noDomain() != null) {
            return noDomain(cluster, shortage, shortage.noDomain(), findings);
        }
        String message = sentence(cluster, shortage, gang, never ? findings.roomWhenEmpty() : -1)
                + clauses(never, findings.details(), findings.nodes());
        return new Reason(
                never ? ReasonCodes.EXCEEDS_CLUSTER : ReasonCodes.NOT_ENOUGH_ROOM, message, findings.details());
    }

    /** The same reason with what guards of preemption refused. */
    static Reason withRefusals(Reason reason, Refusals refusals) {
        if (refusals == null) {
            return reason;
        }
        StringBuilder message = new StringBuilder(reason.message()).append("; nobody is evicted for it: ");
        List<Reason.Detail> details = new ArrayList<>(reason.details());
        boolean first = true;
        for (Map.Entry<String, Integer> refusal : refusals.byGuard().entrySet()) {
            message.append(first ? "" : ", ").append(refusal.getKey());
            if (refusal.getValue() > 0) {
                message.append(" (")
                        .append(refusal.getValue())
                        .append(refusal.getValue() == 1 ? " workload)" : " workloads)");
            }
            first = false;
            details.add(new Reason.Detail(refusal.getKey(), 0, "", 0, 0, refusal.getValue()));
        }
        return new Reason(reason.code(), message.toString(), details);
    }

    private static Reason unknownLevel(ClusterState cluster, Shortage shortage) {
        String message = shortage.noDomain().pods() + " pods ask for a place by level "
                + shortage.noDomain().level() + "; no topology of cluster " + cluster.name() + " has it";
        return new Reason(ReasonCodes.UNKNOWN_TOPOLOGY_LEVEL, message, List.of());
    }

    private Reason noDomain(ClusterState cluster, Shortage shortage, NoDomain kept, Findings findings) {
        long largest = largestWhenEmpty(kept.wish(), shortage.requirement());
        boolean never = largest < kept.pods();
        String message = kept.pods() + " pods (" + describe(shortage.requirement()) + " each) must be together in one "
                + (kept.level().isEmpty() ? "topology" : kept.level()) + "; of " + kept.domains() + " in cluster "
                + cluster.name() + ", none has room for more than "
                + (never ? largest + " even if it were empty" : kept.largest() + " now")
                + clauses(never, findings.details(), findings.nodes());
        return new Reason(
                never ? ReasonCodes.EXCEEDS_CLUSTER : ReasonCodes.NO_TOPOLOGY_DOMAIN, message, findings.details());
    }

    private long largestWhenEmpty(Wish wish, InternedRequirement requirement) {
        long largest = 0;
        for (int domain = 0; domain < wish.tree().domainCount(); domain++) {
            int tier = wish.tree().tier(domain);
            if (tier < wish.nearest() || tier > wish.farthest()) {
                continue;
            }
            long room = 0;
            for (int number = wish.tree().firstNode(domain);
                    number < wish.tree().endNode(domain);
                    number++) {
                NodeState node = wish.tree().node(number);
                room += profile.couldTake(requirement, node) ? Fit.countEmpty(requirement, node) : 0;
            }
            largest = Math.max(largest, room);
        }
        return largest;
    }

    private Findings look(ClusterState cluster, InternedRequirement requirement, Stance stance) {
        TreeMap<Cause, Tally> causes = new TreeMap<>();
        int nodes = 0;
        long roomWhenEmpty = 0;
        List<NodeState> usable = new ArrayList<>();
        Verdicts verdicts = new Verdicts(state, profile, cluster, requirement, stance);
        for (NodeState node : cluster.nodes()) {
            if (node.facts() == null) {
                continue;
            }
            nodes++;
            if (profile.couldTake(requirement, node)) {
                int room = Math.min(Fit.countEmpty(requirement, node), requirement.mostPerNode());
                roomWhenEmpty += room;
                if (room > 0) {
                    usable.add(node);
                }
            }
            blame(requirement, verdicts, node, causes);
        }
        roomWhenEmpty = Math.min(roomWhenEmpty, state.podTerms().mostTogether(requirement, stance, usable));
        List<Reason.Detail> details = new ArrayList<>();
        causes.forEach((cause, tally) -> details.add(
                new Reason.Detail(cause.rule(), tally.nodes, cause.subject(), tally.asked, tally.largestFree)));
        details.sort(Comparator.comparingInt(Reason.Detail::nodes).reversed()); // stable: equals stay sorted by rule
        return new Findings(nodes, roomWhenEmpty, List.copyOf(details));
    }

    private void blame(
            InternedRequirement requirement, Verdicts verdicts, NodeState node, TreeMap<Cause, Tally> causes) {
        Refusal refusal = verdicts.refusal(node);
        if (refusal != null) {
            causes.computeIfAbsent(new Cause(refusal.rule(), refusal.subject()), name -> new Tally()).nodes++;
            return;
        }
        if (Fit.count(requirement, node) > 0) {
            return;
        }
        int share = requirement.shareMilli(node);
        if (requirement.gpus() > node.devices().wholeFree()
                && requirement.gpus() <= node.devices().wholeFreeWhenHealthy()) {
            Cause sick = new Cause("GpuHealth", node.trouble(false));
            causes.computeIfAbsent(sick, name -> new Tally()).nodes++;
            return;
        }
        if (requirement.gpus() > node.devices().wholeFree()) {
            tally(causes, ResourceNames.GPU, requirement.gpus(), node.devices().wholeFree());
            return;
        }
        if (requirement.linked() && node.devices().countTogether(requirement.gpus()) == 0) {
            tally(
                    causes,
                    GPU_LINK,
                    ResourceNames.GPU,
                    requirement.gpus(),
                    node.devices().largestIsland());
            return;
        }
        if (share > 0 && node.devices().shareCount(share) == 0) {
            tally(
                    causes,
                    ResourceNames.GPU + " (thousandths)",
                    share,
                    node.devices().largestShare());
            return;
        }
        for (int i = 0; i < requirement.resourceCount(); i++) {
            long free = node.free(requirement.resource(i));
            if (free < requirement.amount(i)) {
                tally(
                        causes,
                        state.resources().name(requirement.resource(i)),
                        requirement.amount(i),
                        Math.max(0, free));
                return;
            }
        }
        Cause numa =
                new Cause(NUMA_AFFINITY, node.numa() == null ? "" : node.numa().policy());
        causes.computeIfAbsent(numa, name -> new Tally()).nodes++;
    }

    private static void tally(TreeMap<Cause, Tally> causes, String resource, long asked, long free) {
        tally(causes, RESOURCES, resource, asked, free);
    }

    private static void tally(TreeMap<Cause, Tally> causes, String rule, String resource, long asked, long free) {
        Tally tally = causes.computeIfAbsent(new Cause(rule, resource), name -> new Tally());
        tally.nodes++;
        tally.asked = asked;
        tally.largestFree = Math.max(tally.largestFree, free);
    }

    private static String sentence(ClusterState cluster, Shortage shortage, boolean gang, long roomWhenEmpty) {
        String asked = shortage.wanted() == 1
                ? "1 pod (" + describe(shortage.requirement()) + ") waits for room"
                : shortage.wanted() + " pods (" + describe(shortage.requirement()) + " each) "
                        + (gang ? "must start together" : "wait for room");
        String room = roomWhenEmpty >= 0
                ? "cluster " + cluster.name() + " could hold " + roomWhenEmpty + " even if it were empty"
                : "cluster " + cluster.name() + " has room for " + shortage.placed() + " now";
        return asked + "; " + room;
    }

    private static String describe(InternedRequirement requirement) {
        if (requirement.requirement().gpuMemoryMib() > 0) {
            return requirement.requirement().gpuMemoryMib() + " MiB of a GPU";
        }
        if (requirement.gpuFractionMilli() > 0) {
            return requirement.gpuFractionMilli() + " thousandths of a GPU";
        }
        if (requirement.gpus() > 0) {
            return requirement.gpus() + (requirement.gpus() == 1 ? " GPU" : " GPUs");
        }
        return requirement.requirement().request(ResourceNames.CPU) + "m cpu";
    }

    private static String clauses(boolean never, List<Reason.Detail> details, int nodes) {
        StringBuilder text = new StringBuilder();
        for (Reason.Detail detail : details.subList(0, Math.min(MAX_CLAUSES, details.size()))) {
            text.append(text.isEmpty() ? (never ? "; now " : ": ") : ", ")
                    .append(detail.nodes())
                    .append(" of ")
                    .append(nodes)
                    .append(" nodes ")
                    .append(clause(detail));
        }
        return text.toString();
    }

    private static String clause(Reason.Detail detail) {
        return switch (detail.rule()) {
            case RESOURCES ->
                "lack " + detail.subject() + " (" + detail.asked() + " asked, at most " + detail.largestFree()
                        + " free)";
            case GPU_LINK ->
                "have no " + detail.asked() + " GPUs of one NVLink island left (at most " + detail.largestFree() + ")";
            case "GpuMemory" -> "have GPUs with too little memory (" + detail.subject() + ")";
            case NUMA_AFFINITY ->
                "have no NUMA nodes left that their kubelet would take it with (policy " + detail.subject() + ")";
            case "Cluster" -> "are not in cluster " + detail.subject();
            case "NodeReady" -> "are not ready";
            case "NodeUnschedulable" -> "are cordoned";
            case "Taints" -> "have taint " + detail.subject() + ", which is not tolerated";
            case "NodeSelector" -> "lack label " + detail.subject();
            case "NodeAffinity" -> "do not match the required node affinity";
            case Refusal.AFFINITY -> "are not near the pods that its pod affinity asks for (" + detail.subject() + ")";
            case Refusal.ANTI_AFFINITY -> "are where pod anti-affinity forbids it (" + detail.subject() + ")";
            case Refusal.SPREAD -> "are where topology spread forbids one more (" + detail.subject() + ")";
            case Refusal.SPREAD_LABEL -> "lack label " + detail.subject() + ", by which pods are to be spread";
            case VolumeFilter.CLAIM -> "are no use while claim " + detail.subject();
            case VolumeFilter.IN_USE -> "are no use while another pod uses claim " + detail.subject();
            case VolumeFilter.AFFINITY -> "are kept out by the node affinity of the volume of " + detail.subject();
            case VolumeFilter.ZONE -> "are outside the zones of the volume of " + detail.subject();
            case VolumeFilter.TOPOLOGY -> "have no volume for claim " + detail.subject() + " and get none made";
            case VolumeFilter.LIMIT -> "can attach no more volumes of driver " + detail.subject();
            case "HostPorts" -> "have host port " + detail.subject() + " taken";
            case "GpuHealth" -> "have sick GPUs (" + detail.subject() + ")";
            default -> "are kept out by " + detail.rule();
        };
    }
}
