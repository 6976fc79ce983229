package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodId;
import dev.muster.scheduler.core.model.Policy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Builds the heap structure from the rows of the state stores, in whatever order those come. */
public final class Restorer {
    private final DomainState state;
    private final Members members;
    private final Jobs jobs;
    private final PodFactsTaker pods;

    public Restorer(DomainState state, Members members, Jobs jobs, Facts facts) {
        this.state = state;
        this.members = members;
        this.jobs = jobs;
        this.pods = facts.pods();
    }

    /** Takes all rows; the state must be empty. */
    public void restore(Iterable<Row> rows) {
        Map<Row.Table, List<Row>> byTable = new EnumMap<>(Row.Table.class);
        for (Row row : rows) {
            byTable.computeIfAbsent(row.table(), table -> new ArrayList<>()).add(row);
        }
        byTable.values().forEach(list -> list.sort((a, b) -> a.key().compareTo(b.key())));
        state.podTerms.restoring();
        state.queues.restoring(true);
        List<Integer> ordinals = new ArrayList<>();
        each(byTable, Row.Table.POLICIES, Row.PolicyObject.class, this::policy);
        each(byTable, Row.Table.QUEUES, Row.PolicyObject.class, this::policy);
        byTable.getOrDefault(Row.Table.QUOTAS, List.of()).forEach(state.queues::restore);
        each(byTable, Row.Table.GROUPS, Row.Group.class, group -> state.groups.put(group.key(), group));
        each(byTable, Row.Table.NODES, Row.Node.class, node -> node(node, ordinals));
        state.ordinals.restore(ordinals);
        each(byTable, Row.Table.WORKLOADS, Row.Workload.class, this::workload);
        each(byTable, Row.Table.PODS, Row.Pod.class, this::pod);
        each(byTable, Row.Table.HOLDS, Row.Hold.class, this::hold);
        each(byTable, Row.Table.WORKLOADS, Row.Workload.class, this::lifeOf);
        state.podTerms.rebuild();
        state.restored();
        state.queues.restoring(false);
        each(byTable, Row.Table.DOMAIN, Row.Domain.class, state::restoreDomain);
    }

    private static <R extends Row> void each(
            Map<Row.Table, List<Row>> rows, Row.Table table, Class<R> type, Consumer<R> taker) {
        rows.getOrDefault(table, List.of()).forEach(row -> taker.accept(type.cast(row)));
    }

    private void policy(Row.PolicyObject row) {
        state.policies.put(row.key(), row);
        state.choosePolicy();
        if (row.policy() instanceof Policy.Topology || row.policy() instanceof Policy.HyperNode) {
            state.topologyChanged(row);
        }
    }

    private void node(Row.Node row, List<Integer> ordinals) {
        NodeState node = state.nodeNamed(row.id());
        if (row.facts() != null) {
            node.know(
                    state.sharing.origin(
                            row.origin(), node.id().name(), row.origin().uid()),
                    state.sharing.node(row.facts(), node.id().name()),
                    state.interner.nodeClass(row.facts()),
                    row.ordinal());
            state.interner.gpuSizes.replace(0, node.gpuMemoryMib());
            ordinals.add(row.ordinal());
        }
        if (row.healthOrigin() != null || !row.health().isEmpty()) {
            node.restoreHealth(row.healthOrigin(), row.health(), state.policy().health());
            state.deadlines.watch(node);
        }
        if (row.numaOrigin() != null) {
            NumaFacts numa = state.sharing.numa(row.numa());
            node.numa(row.numaOrigin(), numa, state.interner.topologyManager(numa), row.numaUnknown());
        }
        node.away(row.awayMillis());
        state.sick.settle(node);
        if (!row.unaligned().isEmpty()) {
            node.couldNotAlign(
                    row.unaligned().stream().map(state.interner::requirement).toList());
        }
    }

    private void workload(Row.Workload row) {
        Workload workload =
                new Workload(row.id(), row.kind(), row.cluster(), row.namespace(), row.object(), row.tenant());
        workload.arrivedSequence = row.arrivedSequence();
        workload.arrivedMillis = row.arrivedMillis();
        state.workloads.put(row.id(), workload);
        if (row.job() != null) {
            jobs.fillSlots(workload, row.job(), row.endedSlots());
            return;
        }
        workload.group = state.gang(Row.Group.key(row.cluster(), row.kind().label(), row.namespace(), row.object()));
        workload.groupUid = row.groupUid();
        members.refreshSpec(workload);
    }

    private void pod(Row.Pod row) {
        PodId id = new PodId(
                state.sharing.one(row.origin().cluster()), row.origin().uid());
        PodState pod = new PodState(id);
        pod.stranger = row.stranger();
        pod.leavingMillis = row.leavingMillis();
        pod.boundMillis = row.boundMillis();
        pods.take(
                pod, row.origin(), row.facts(), new PodFactsTaker.Placed(PodState.devices(row.devices()), row.numa()));
    }

    private void hold(Row.Hold row) {
        Workload workload = state.workloads.get(row.workload());
        Kept kept = row.kept() ? new Kept(row.victims(), row.asked(), row.brokenMillis()) : null;
        Hold hold = new Hold(
                row.decision(), workload, row.attempt(), row.cluster(), row.gang(), row.deadlineMillis(), kept);
        hold.revoking = row.revoking();
        List<PodSet> podSets = workload.podSetsInOrder();
        for (Row.HeldMember member : row.members()) {
            HeldMember held = new HeldMember(
                    hold,
                    member.podSet(),
                    member.index(),
                    member.name(),
                    member.uid(),
                    state.nodeNamed(new NodeId(row.cluster(), member.node())),
                    state.interner.requirement(row.requirements().get(member.requirement())),
                    PodState.devices(member.devices()),
                    member.numa(),
                    member.claims());
            held.confirmed = member.confirmed();
            held.seenVersion = member.seenVersion();
            if (kept != null && kept.slots()) {
                take(hold, held);
                continue;
            }
            held.member = workload.createsPods()
                    ? slot(podSets.get(member.podSet()), member.index())
                    : memberOf(new PodId(row.cluster(), member.uid()));
            held.leftUid = member.leftUid();
            if (handedOver(workload, held)) {
                hold.handedOver.add(held);
                held.member.handedOver = held;
                continue;
            }
            if (!stillHeld(workload, held)) {
                continue;
            }
            take(hold, held);
            if (kept != null) {
                held.member.kept = held;
            } else if (held.member != null) {
                held.member.held = held;
                state.recount(workload, held.member);
            }
        }
        state.holds.put(hold.decision, hold);
        if (kept != null) {
            members.kept().attach(hold);
        } else {
            workload.add(hold);
        }
        state.deadlines.watch(hold);
    }

    private static void take(Hold hold, HeldMember held) {
        hold.members.add(held);
        held.node.take(held.requirement, held.devices, held.numa);
        held.node.heldBy(1);
        held.node.promise(held.claims);
    }

    /** The row may still name pods that have been seen on a node or ended since it was written. */
    private static boolean stillHeld(Workload workload, HeldMember held) {
        Member member = held.member;
        if (member == null || member.pod == null) {
            return workload.createsPods();
        }
        PodFacts pod = member.pod.facts;
        if (workload.createsPods()) {
            return pod.terminal()
                    ? held.leftUid.equals(member.podUid())
                    : !pod.node().equals(held.node.id().name());
        }
        return pod.node().isEmpty() && !pod.terminal();
    }

    /** Whether the pod of a submitted job has the room for as long as it is there. */
    private static boolean handedOver(Workload workload, HeldMember held) {
        PodState pod = held.member == null ? null : held.member.pod;
        return workload.createsPods()
                && pod != null
                && pod.facts.holdsRoom()
                && pod.facts.node().equals(held.node.id().name())
                && !(held.confirmed && held.uid.equals(pod.id().uid()));
    }

    private static Member slot(PodSet podSet, int index) {
        for (Member member : podSet.members()) {
            if (member.index() == index) {
                return member;
            }
        }
        return null;
    }

    private Member memberOf(PodId id) {
        PodState pod = state.pods.get(id);
        return pod == null ? null : pod.member;
    }

    /** What of a workload does not follow from its members. */
    private void lifeOf(Row.Workload row) {
        Workload workload = state.workloads.get(row.id());
        workload.cancelled = row.cancelled();
        workload.suspended = row.suspended();
        workload.attempt = row.attempt();
        workload.decision = row.decision();
        workload.state = row.state();
        workload.reason = row.reason();
        workload.sinceMillis = row.sinceMillis();
        workload.failures = row.failures();
        workload.marked = row.marked();
        workload.untold = row.untold();
        workload.onceStarted = row.onceStarted();
        workload.lastPlaces = row.lastPlaces();
        if (!row.ownerJob().isEmpty()) {
            workload.ownerJob = row.ownerJob();
        }
        workload.cascade = row.cascade();
        workload.evictedFor = row.evictedFor();
        workload.evictedMillis = row.evictedMillis();
        workload.entitled = row.entitled();
        workload.drainMillis = row.drainMillis();
        workload.evictedReason = row.evictedReason();
        if (!row.flavors().isEmpty()) {
            state.queues.restored(workload, row.flavors());
        }
        if (row.backoffUntilMillis() > 0) {
            state.backOff(workload, row.backoffUntilMillis());
        }
    }
}
