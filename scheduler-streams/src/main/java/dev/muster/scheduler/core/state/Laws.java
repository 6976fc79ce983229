package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.NumaShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What must be true after every entry, worked out from scratch. */
public final class Laws {
    private Laws() {}

    /** Throws {@link LawBrokenException} when the state is not what its pods and holds say. */
    public static void check(DomainState state) {
        checkAccounts(state);
        for (ClusterState cluster : state.clusters()) {
            for (NodeState node : cluster.nodes()) {
                checkCommitment(state, node);
            }
        }
    }

    /**
     * The same, but for a node that holds more than it has: that is nobody's mistake where a node was replaced by a smaller
     * one under its name, whose pods are still being taken away.
     */
    public static void checkAccounts(DomainState state) {
        for (ClusterState cluster : state.clusters()) {
            TreeMap<String, Integer> claims = new TreeMap<>();
            for (NodeState node : cluster.nodes()) {
                checkRoom(state, node, claims);
            }
            Promises promises = new Promises();
            for (Hold hold : state.holds.values()) {
                if (hold.cluster.equals(cluster.name())) {
                    hold.members.forEach(held -> held.claims.forEach(promises::make));
                }
            }
            expect(
                    cluster.promises().agreesWith(promises),
                    () -> "claims of cluster " + cluster.name() + " are promised " + cluster.promises() + ", by holds "
                            + promises);
            expect(cluster.claimsAre(claims), () -> "claims in use in cluster " + cluster.name() + " are " + claims);
            expect(
                    cluster.freeGpuCountsAgree(),
                    () -> "nodes of cluster " + cluster.name()
                            + " are counted under numbers of free GPUs they do not have");
        }
        for (ClusterState cluster : state.clusters()) {
            String difference = cluster.topologies().difference();
            expect(difference.isEmpty(), difference);
        }
        checkNodesAreKnown(state);
        checkMembers(state);
        checkKept(state);
        checkQuotas(state);
        String sick = state.sick.difference();
        expect(sick.isEmpty(), sick);
        String difference = state.podTerms.difference();
        expect(difference.isEmpty(), difference);
        String running = state.running.difference();
        expect(running.isEmpty(), running);
    }

    /** What is held is held where others look: on the node that is known by the name. */
    private static void checkNodesAreKnown(DomainState state) {
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                expect(
                        state.node(held.node.id()) == held.node,
                        () -> "room of " + held.name + " is held on a forgotten " + held.node.id());
            }
        }
    }

    /** Used room equals what pods and holds take. */
    private static void checkRoom(DomainState state, NodeState node, TreeMap<String, Integer> claims) {
        TreeMap<Integer, Long> used = new TreeMap<>();
        UsedPorts ports = new UsedPorts();
        long gpuMilli = 0;
        for (PodState pod : node.pods.values()) {
            add(used, pod.requirement);
            ports.count(pod.requirement.requirement().hostPorts(), 1);
            pod.requirement.requirement().claims().forEach(claim -> claims.merge(claim, 1, Integer::sum));
            gpuMilli += pod.requirement.gpuMilli(node);
        }
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                if (held.node == node) {
                    add(used, held.requirement);
                    ports.count(held.requirement.requirement().hostPorts(), 1);
                    held.requirement.requirement().claims().forEach(claim -> claims.merge(claim, 1, Integer::sum));
                    gpuMilli += held.requirement.gpuMilli(node);
                }
            }
        }
        for (int resource = 0; resource < state.resources.size(); resource++) {
            long amount = used.getOrDefault(resource, 0L);
            if (node.used(resource) != amount) {
                throw new LawBrokenException(node.id() + " uses " + amount + " of " + state.resources.name(resource)
                        + " but counts " + node.used(resource));
            }
        }
        TreeMap<String, Long> numa = new TreeMap<>();
        node.pods.values().forEach(pod -> add(numa, pod.numa.shares(), 1));
        for (Hold hold : state.holds.values()) {
            hold.members.stream().filter(held -> held.node == node).forEach(held -> add(numa, held.numa.shares(), 1));
        }
        add(numa, node.numaCharged(), -1);
        expect(
                numa.values().stream().allMatch(left -> left == 0),
                () -> node.id() + " counts NUMA nodes otherwise than pods and holds have them: " + numa);
        expect(
                ports.sameAs(node.ports()),
                () -> node.id() + " has host ports " + ports + " taken but counts " + node.ports());
        if (node.devices().usedMilli() != gpuMilli) {
            throw new LawBrokenException(node.id() + " uses " + gpuMilli + " thousandths of GPUs but counts "
                    + node.devices().usedMilli());
        }
    }

    /** Room is kept for members that wait, and for those that it is known to be kept for. */
    private static void checkKept(DomainState state) {
        for (Hold hold : state.holds.values()) {
            expect(
                    (hold.kept != null) == (state.kept.get(hold.decision) == hold),
                    () -> "hold " + hold.decision + " is not among those that keep room");
            if (hold.kept == null) {
                continue;
            }
            expect(hold.workload.kept == hold, () -> hold.workload.id() + " does not know of the room kept for it");
            expect(!hold.kept.lifted, () -> "room kept for " + hold.workload.id() + " was given back on trial only");
            if (hold.kept.slots()) {
                boolean nobodys = hold.members.stream().allMatch(held -> held.member == null);
                expect(nobodys, () -> "slots of " + hold.workload.id() + " are those of members that wait");
                continue;
            }
            expect(hold.workload.placeable(), () -> "room is kept for " + hold.workload.id() + ", which does not wait");
            for (HeldMember held : hold.members) {
                expect(
                        held.member.kept == held && held.member.phase() == Member.Phase.WAITING,
                        () -> "room is kept for " + held.name + ", which does not wait");
            }
        }
        expect(state.holds.values().containsAll(state.kept.values()), "room is kept by a hold that is gone");
    }

    /** Nothing that Muster placed exceeds what the node has; room that is kept is there when others have left. */
    private static void checkCommitment(DomainState state, NodeState node) {
        List<HeldMember> kept = new ArrayList<>();
        for (Hold hold : state.kept.values()) {
            hold.members.stream().filter(held -> held.node == node).forEach(kept::add);
        }
        kept.forEach(held -> node.give(held.requirement, held.devices, held.numa));
        checkPlaced(state, node);
        kept.forEach(held -> node.take(held.requirement, held.devices, held.numa));
    }

    private static void checkPlaced(DomainState state, NodeState node) {
        boolean onlyOurs = node.pods.values().stream()
                .noneMatch(pod -> pod.facts.decision().isEmpty());
        if (onlyOurs && node.facts() != null) {
            for (Amount amount : node.facts().allocatable()) {
                int resource = state.resources.of(amount.resource());
                expect(
                        node.used(resource) <= Math.max(amount.amount(), 0),
                        () -> node.id() + " is over-committed in " + amount.resource());
            }
            for (int device = 0; device < node.devices().allocatable(); device++) {
                if (node.devices().freeMilli(device) < 0) {
                    throw new LawBrokenException(
                            node.id() + " device " + device + " is over-committed: " + holders(state, node));
                }
            }
        }
    }

    /** Who holds which devices of a node. */
    private static String holders(DomainState state, NodeState node) {
        StringBuilder holders = new StringBuilder();
        for (PodState pod : node.pods.values()) {
            holders.append(pod.name).append(Arrays.toString(pod.devices)).append(' ');
        }
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                if (held.node == node) {
                    holders.append("hold ")
                            .append(held.name)
                            .append(Arrays.toString(held.devices))
                            .append(' ');
                }
            }
        }
        return holders.toString();
    }

    private static void add(TreeMap<String, Long> amounts, List<NumaShare> shares, int sign) {
        for (NumaShare share : shares) {
            amounts.merge(share.zone() + " " + share.resource(), sign * share.amount(), Long::sum);
        }
    }

    private static void add(TreeMap<Integer, Long> used, InternedRequirement requirement) {
        for (int i = 0; i < requirement.resourceCount(); i++) {
            used.merge(requirement.resource(i), requirement.amount(i), Long::sum);
        }
    }

    /** Counts by phase, waiting sets and the placeable index agree with the members. */
    private static void checkMembers(DomainState state) {
        for (Workload workload : new ArrayList<>(state.workloads.values())) {
            int size = 0;
            for (PodSet podSet : workload.podSets.values()) {
                size += podSet.members().size();
                int[] counts = new int[Member.Phase.values().length];
                for (Member member : podSet.members()) {
                    counts[member.phase().ordinal()]++;
                    expect(
                            member.held == null || member.held.hold.members.contains(member.held),
                            () -> member.name() + " is held by a hold that does not know it");
                }
                for (Member.Phase phase : Member.Phase.values()) {
                    expect(
                            counts[phase.ordinal()] == podSet.count(phase),
                            () -> workload.id() + " counts " + podSet.count(phase) + " " + phase + " members, not "
                                    + counts[phase.ordinal()]);
                }
                for (Member member : podSet.members()) {
                    expect(
                            member.phase() == member.counted(),
                            () -> member.name() + " is counted as " + member.counted());
                }
            }
            if (size != workload.size) {
                throw new LawBrokenException(workload.id() + " has " + size + " members but counts " + workload.size);
            }
            boolean indexed = workload.place != null && state.placeable.get(workload.place) == workload;
            boolean expected = workload.placeable() && workload.backoffUntilMillis == 0;
            expect(indexed == expected, () -> workload.id() + " is " + (indexed ? "" : "not ") + "among the placeable");
            expect(
                    !expected || state.lanes.holds(workload),
                    () -> workload.id() + " stands in a lane for something else");
        }
        int pods = 0;
        for (PodState pod : state.pods) {
            pods++;
            expect(state.pods.get(pod.id()) == pod, () -> pod.id() + " is not found by its id");
            boolean onNode = pod.node != null;
            expect(onNode == pod.facts.holdsRoom(), () -> pod.id() + " holds room: " + onNode);
            expect(
                    !onNode || pod.node.pods.get(pod.id().uid()) == pod,
                    () -> pod.id() + " is not among its node's pods");
        }
        if (pods != state.pods.size()) {
            throw new LawBrokenException("there are " + pods + " pods, not " + state.pods.size());
        }
    }

    /** Usage of queues equals what the members that take room ask for. */
    private static void checkQuotas(DomainState state) {
        TreeMap<Integer, Integer> sizes = new TreeMap<>();
        for (ClusterState cluster : state.clusters()) {
            for (NodeState node : cluster.nodes()) {
                if (node.gpuMemoryMib() > 0) {
                    sizes.merge(node.gpuMemoryMib(), 1, Integer::sum);
                }
            }
        }
        expect(
                sizes.equals(state.interner.gpuSizes.nodes()),
                () -> "nodes have GPUs of " + sizes + " MiB but are counted as " + state.interner.gpuSizes.nodes());
        QuotaLedger fresh = new QuotaLedger();
        for (Workload workload : state.workloads.values()) {
            int charged = 0;
            for (PodSet podSet : workload.podSets.values()) {
                for (Member member : podSet.members()) {
                    expect(
                            member.charged == member.takesRoom(),
                            () -> member.name() + " is charged: " + member.charged);
                    if (member.charged) {
                        charged++;
                        fresh.charge(
                                workload.queueRef.key(),
                                workload.flavorsOf(podSet),
                                member.requirement(),
                                1,
                                state.sharing);
                    }
                }
            }
            expect(
                    charged == workload.charged,
                    () -> workload.id() + " counts " + workload.charged + " charged members");
            Map<Member, Integer> kept = Entitlement.toKeep(workload);
            expect(kept.equals(workload.reserved), () -> workload.id() + " keeps quota for other pods than it should");
            kept.forEach((like, times) -> fresh.charge(
                    workload.queueRef.key(),
                    workload.flavorsOf(like.podSet()),
                    like.requirement(),
                    times,
                    state.sharing));
            expect(
                    workload.flavors.isEmpty() || charged > 0 || !kept.isEmpty(),
                    () -> workload.id() + " has flavors " + workload.flavors + " and nothing is charged");
        }
        String wrong = state.queues.difference();
        expect(wrong.isEmpty(), wrong);
        expect(
                fresh.usedByQueue().equals(state.quotas.usedByQueue()),
                () -> "queues use " + fresh.usedByQueue() + " but count " + state.quotas.usedByQueue());
    }

    private static void expect(boolean holds, String otherwise) {
        expect(holds, () -> otherwise);
    }

    /** The sentence is made only where it is needed: laws are checked by the thousand. */
    private static void expect(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new LawBrokenException(otherwise.get());
        }
    }
}
