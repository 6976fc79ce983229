package dev.muster.standalone.faults;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.ClusterQueueSpec;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NumaEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.journal.JournalEntry;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.faults.DecisionTruth.Member;
import dev.muster.standalone.faults.Truth.NodeTruth;
import dev.muster.standalone.faults.Truth.PodTruth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Judges what happens, after each change of an API server and each record that became visible, by nothing but those two:
 * plain maps and sums, no code of the scheduler, the binder or the ingest.
 */
final class Oracle implements Truth.Watcher {
    /** What must never be, was. */
    static final class ViolationException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ViolationException(String message) {
            super(message);
        }
    }

    final Truth truth = new Truth(this);
    final Map<String, DecisionTruth> decisions = new TreeMap<>();
    final EvictionTruth evictions = new EvictionTruth();
    final QuotaTruth quotas = new QuotaTruth(truth);
    final Map<String, WorkloadStatus> statuses = new TreeMap<>();
    /** What pods of a submitted job ask for, by workload. */
    final Map<String, Ask> jobs = new HashMap<>();

    private final Topics topics;
    private final Deserializer<JournalEntry> entries;
    private final Deserializer<Decision> decisionReader;
    private final Deserializer<Outcome> outcomeReader;
    private final Deserializer<WorkloadStatus> statusReader;
    private final Map<String, Long> lastOffsets = new HashMap<>();
    private final Map<String, Long> epochs = new HashMap<>();
    private final Map<String, List<Member>> membersByNode = new HashMap<>();
    private final Map<String, Member> lastPlacement = new HashMap<>();
    private long nextSequence;
    private long journalMillis;
    private int deadLetters;

    Oracle(SchemaRegistry registry, Topics topics) {
        this.topics = topics;
        this.entries = new AvroSerde<>(registry, JournalEntry.class).deserializer();
        this.decisionReader = new AvroSerde<>(registry, Decision.class).deserializer();
        this.outcomeReader = new AvroSerde<>(registry, Outcome.class).deserializer();
        this.statusReader = new AvroSerde<>(registry, WorkloadStatus.class).deserializer();
    }

    /** Dead letters that the scheduler wrote. */
    int deadLetters() {
        return deadLetters;
    }

    // ---- records

    /** Takes a record in that became visible. */
    void visible(MemoryKafka.Entry record) {
        String topic = record.topic();
        if (topic.equals(topics.journal())) {
            journal(entries.deserialize(topic, record.value()));
        } else if (topic.equals(topics.decisions())) {
            decided(decisionReader.deserialize(topic, record.value()));
        } else if (topic.equals(topics.outcomes())) {
            outcome(record);
        } else if (topic.equals(topics.workloadStatus())) {
            if (record.value() == null) {
                statuses.remove(record.key());
            } else {
                statuses.put(record.key(), statusReader.deserialize(topic, record.value()));
            }
        } else if (topic.equals(topics.deadLetters()) && record.key().startsWith(topics.prefix())) {
            deadLetters++;
        }
    }

    /** Sequence without gaps, time that never runs back, no record taken twice, no news of an ingest that was replaced. */
    private void journal(JournalEntry entry) {
        expect(
                entry.getSequence() == nextSequence,
                "journal entry " + entry.getSequence() + " where " + nextSequence + " was expected");
        nextSequence++;
        expect(
                entry.getTimeMillis() >= journalMillis,
                "journal entry " + entry.getSequence() + " runs back in time by "
                        + (journalMillis - entry.getTimeMillis()) + " ms");
        journalMillis = entry.getTimeMillis();
        if (!entry.getTopic().isEmpty()) {
            Long last = lastOffsets.put(entry.getTopic(), entry.getOffset());
            expect(
                    last == null || last < entry.getOffset(),
                    "record " + entry.getTopic() + "@" + entry.getOffset() + " was taken after " + last);
        }
        switch (entry.getEvent()) {
            case NodeEvent event -> epoch(entry, "Node", event.getOrigin());
            case PodEvent event -> epoch(entry, "Pod", event.getOrigin());
            case GroupEvent event -> epoch(entry, event.getKind(), event.getOrigin());
            case HealthEvent event -> epoch(entry, "GpuHealth", event.getOrigin());
            case NumaEvent event -> epoch(entry, "NodeResourceTopology", event.getOrigin());
            case PolicyEvent event -> {
                epoch(entry, event.getKind(), event.getOrigin());
                if (event.getSpec() instanceof ClusterQueueSpec queue) {
                    quotas.told(entry.getSequence(), event.getOrigin().getName(), queue);
                }
            }
            default -> {
                // Ticks, outcomes and submissions come from no ingest.
            }
        }
    }

    private void epoch(JournalEntry entry, String kind, Origin origin) {
        String key = origin.getCluster() + "/" + kind;
        long newest = epochs.getOrDefault(key, 0L);
        expect(
                origin.getEpoch() >= newest,
                "entry " + entry.getSequence() + " takes news of epoch " + origin.getEpoch() + " of " + key
                        + " after a list under epoch " + newest + " began");
        if (origin.getChange() == Change.RESYNC_BEGIN) {
            epochs.put(key, origin.getEpoch());
        }
    }

    private void decided(Decision record) {
        DecisionTruth decision = new DecisionTruth(record);
        expect(decisions.put(decision.id, decision) == null, "decision " + decision.id + " was published twice");
        if (!decision.victims.isEmpty()) {
            evictions.decided(decision, decisions.values(), truth);
        }
        if (!decision.places) {
            return;
        }
        evictions.placed(decision);
        for (Member member : decision.members) {
            PodTruth pod = truth.pods.get(member.uid);
            member.ask = pod != null ? pod.ask : jobs.get(decision.workload);
            expect(member.ask != null, "decision places a pod that never was: " + member + " of " + decision);
            String place =
                    member.uid.isEmpty() ? decision.cluster + "/" + decision.namespace + "/" + member.name : member.uid;
            Member before = lastPlacement.put(place, member);
            expect(
                    // One that is gone may be placed, by a scheduler that has not heard of it yet: nobody binds it.
                    before == null || !isLive(before) && (pod == null || !pod.takesRoom()),
                    "pod " + member.name + " is placed by " + decision.id + " while " + before + " of "
                            + (before == null ? "" : before.decision) + " stands");
            membersByNode
                    .computeIfAbsent(member.nodeUid, none -> new ArrayList<>())
                    .add(member);
        }
        decision.members.stream().map(member -> member.nodeUid).distinct().forEach(uid -> checkRoom(uid, true));
        quotas.placed(decision, this::isLive);
    }

    private void outcome(MemoryKafka.Entry record) {
        Outcome outcome;
        try {
            outcome = outcomeReader.deserialize(record.topic(), record.value());
        } catch (RuntimeException poison) {
            return;
        }
        DecisionTruth decision = decisions.get(outcome.getDecisionId());
        expect(decision != null, "outcome of a decision that was never published: " + outcome.getDecisionId());
        decision.outcomes.add(outcome);
        if (!decision.victims.isEmpty()) {
            evicted(decision, outcome);
            return;
        }
        for (MemberOutcome said : outcome.getMembers()) {
            settle(decision, outcome, said);
        }
    }

    /** Who is said to be going or gone is; of each victim something is said. */
    private void evicted(DecisionTruth decision, Outcome outcome) {
        expect(
                outcome.getMembers().size() == decision.victims.size(),
                "an outcome speaks of " + outcome.getMembers().size() + " victims: " + decision);
        for (MemberOutcome said : outcome.getMembers()) {
            PodTruth pod = truth.pods.get(said.getUid());
            boolean going = said.getStatus() == MemberStatus.EVICTED || said.getStatus() == MemberStatus.GONE;
            expect(
                    !going || pod == null || pod.deleting || pod.gone || pod.terminal(),
                    "outcome says " + pod + " is evicted, and it is not: " + decision);
        }
    }

    private void settle(DecisionTruth decision, Outcome outcome, MemberOutcome said) {
        boolean ended = said.getStatus() != MemberStatus.BOUND;
        for (Member member : concerned(decision, said)) {
            PodTruth pod = podOf(member, said.getUid());
            if (outcome.getStatus() == OutcomeStatus.BOUND) {
                expect(member.everBound, "outcome says " + member.name + " is bound, and it never was: " + decision);
            }
            if (said.getStatus() == MemberStatus.RELEASED) {
                boolean boundByIt = pod != null && pod.takesRoom() && pod.decision.equals(member.decision.id);
                expect(!boundByIt, "outcome says " + member.name + " is released, and it is bound: " + decision);
            }
            if (said.getStatus() == MemberStatus.EVICTED && pod != null) {
                expect(
                        pod.deleting || pod.gone || pod.terminal(),
                        "outcome says " + pod + " is evicted, and it is not: " + decision);
            }
            if (said.getStatus() == MemberStatus.GONE && pod != null && pod.uid.equals(said.getUid())) {
                expect(pod.gone || pod.deleting, "outcome says " + pod + " is gone, and it is not: " + decision);
            }
            member.settled |= ended;
        }
    }

    /** The members of placements that an outcome of a placement, a Revoke or a deletion speaks of. */
    private List<Member> concerned(DecisionTruth decision, MemberOutcome said) {
        List<Member> concerned = new ArrayList<>();
        for (DecisionTruth other : decisions.values()) {
            boolean spoken = decision.places
                    ? other == decision
                    : decision.revokes.isEmpty()
                            ? other.places
                                    && other.workload.equals(decision.workload)
                                    && other.attempt < decision.attempt
                            : other.id.equals(decision.revokes);
            if (!spoken) {
                continue;
            }
            for (Member member : other.members) {
                boolean slot = member.podSet == said.getPodSet() && member.index == said.getIndex();
                if (other.create ? slot : member.uid.equals(said.getUid()) || other == decision && slot) {
                    concerned.add(member);
                }
            }
        }
        return concerned;
    }

    /** A binder's eviction or deletion of the pod was granted. */
    void takenAway(PodTruth pod) {
        EvictionTruth.granted(pod, decisions.values());
    }

    // ---- pods

    @Override
    public void bound(PodTruth pod) {
        if (!pod.ours) {
            return;
        }
        DecisionTruth decision = decisions.get(pod.decision);
        expect(decision != null && decision.places, "bound by no published decision: " + pod);
        Member member = memberOf(decision, pod);
        expect(member != null, "bound by a decision that does not place it: " + pod + ", " + decision);
        expect(member.node.equals(pod.node), "bound elsewhere than decided: " + pod + ", " + decision);
        expect(
                truth.unboundClaims(pod).isEmpty(),
                "bound before its claims " + truth.unboundClaims(pod) + ": " + pod + ", " + decision);
        expect(!member.settled, "bound after it was said that it cannot be: " + pod + ", " + decision);
        member.uid = pod.uid;
        member.everBound = true;
        checkRoom(member.nodeUid, false);
    }

    @Override
    public void moved(PodTruth pod, String from) {
        throw new ViolationException("moved from node " + from + ": " + pod);
    }

    private static Member memberOf(DecisionTruth decision, PodTruth pod) {
        for (Member member : decision.members) {
            boolean it = decision.create ? member.name.equals(pod.name) : member.uid.equals(pod.uid);
            if (it && decision.cluster.equals(pod.cluster) && decision.namespace.equals(pod.namespace)) {
                return member;
            }
        }
        return null;
    }

    private PodTruth podOf(Member member, String uid) {
        PodTruth pod = truth.pods.get(uid.isEmpty() ? member.uid : uid);
        return pod != null ? pod : truth.pods.get(member.uid);
    }

    /** Whether it may still be bound by its decision, or is. */
    private boolean isLive(Member member) {
        PodTruth pod = truth.pods.get(member.uid);
        if (pod != null && pod.decision.equals(member.decision.id) && pod.bound()) {
            return pod.takesRoom();
        }
        boolean over = pod != null && (pod.gone || pod.terminal());
        return !member.settled && !over;
    }

    // ---- room

    /**
     * What was placed on a node, by decisions that named that very node, fits on it: what its pods take until they have
     * ended or are gone, and with {@code holds} also what is promised and not settled.
     */
    private void checkRoom(String nodeUid, boolean holds) {
        NodeTruth node = truth.nodes.get(nodeUid);
        expect(node != null, "a decision names a node that never was: " + nodeUid);
        long cpu = 0;
        long memory = 0;
        int pods = 0;
        long[] devices = new long[node.has.gpus()];
        for (Member member : membersByNode.getOrDefault(nodeUid, List.of())) {
            PodTruth pod = truth.pods.get(member.uid);
            boolean taken = pod != null && pod.takesRoom() && pod.decision.equals(member.decision.id);
            if (!taken && !(holds && isLive(member))) {
                continue;
            }
            cpu += member.ask.cpuMilli();
            memory += member.ask.memoryMib();
            pods++;
            long share = member.ask.gpuMilli() > 0 ? member.ask.gpuMilli() : 1000;
            int wanted = member.ask.gpuMilli() > 0 ? 1 : member.ask.gpus();
            expect(
                    member.devices.size() == wanted,
                    "a pod gets " + member.devices + " of " + wanted + " GPUs: " + member);
            for (int device : member.devices) {
                expect(device < devices.length, "no such GPU on " + node.name + ": " + member);
                devices[device] += share;
                expect(devices[device] <= 1000, "GPU " + device + " is promised twice: " + room(node, holds));
            }
        }
        expect(cpu <= node.has.cpuMilli(), cpu + " of cpu is too much: " + room(node, holds));
        expect(memory <= node.has.memoryMib(), memory + " of memory is too much: " + room(node, holds));
        expect(pods <= node.has.pods(), pods + " pods are too many: " + room(node, holds));
    }

    private String room(NodeTruth node, boolean holds) {
        StringBuilder text =
                new StringBuilder(node.cluster + "/" + node.name + " " + node.has + (holds ? " holds" : ""));
        for (Member member : membersByNode.getOrDefault(node.uid, List.of())) {
            if (isLive(member)) {
                text.append("; ")
                        .append(member)
                        .append(" ")
                        .append(member.ask)
                        .append(" by ")
                        .append(member.decision.id)
                        .append(" ")
                        .append(truth.pods.get(member.uid));
            }
        }
        return text.toString();
    }

    // ---- quiet

    /** What is not settled yet; empty where everything that was decided came to its end. */
    List<String> unsettled() {
        List<String> open = new ArrayList<>();
        for (DecisionTruth decision : decisions.values()) {
            if (decision.outcomes.isEmpty()) {
                open.add("no outcome of " + decision);
            }
            if (decision.gang) {
                long bound = decision.members.stream().filter(m -> m.everBound).count();
                long there = decision.members.stream()
                        .filter(m -> m.everBound)
                        .map(m -> truth.pods.get(m.uid))
                        .filter(pod -> pod.takesRoom() && !pod.deleting)
                        .count();
                if (bound < decision.members.size() && there > 0) {
                    open.add("gang in part: " + decision);
                }
            }
        }
        return open;
    }

    static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new ViolationException(otherwise);
        }
    }
}
