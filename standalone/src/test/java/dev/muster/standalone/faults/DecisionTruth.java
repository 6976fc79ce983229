package dev.muster.standalone.faults;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.MemberPlacement;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.Revoke;
import dev.muster.schemas.decision.Victim;
import java.util.ArrayList;
import java.util.List;

/** A published decision, and what has become of it. */
final class DecisionTruth {
    /** One pod of it. */
    static final class Member {
        final DecisionTruth decision;
        final int podSet;
        final int index;
        final String name;
        final String node;
        final String nodeUid;
        final List<Integer> devices;
        /** Empty until the pod of a submitted job is known. */
        String uid;
        /** What it takes; null where the pod is none that was ever there. */
        Ask ask;
        /** It was bound by this decision at some time. */
        boolean everBound;
        /** Somebody said that it cannot be bound by this decision any more. */
        boolean settled;

        Member(DecisionTruth decision, MemberPlacement from, String node, String nodeUid) {
            this.decision = decision;
            this.podSet = from.getPodSet();
            this.index = from.getIndex();
            this.name = from.getName();
            this.uid = from.getUid();
            this.node = node;
            this.nodeUid = nodeUid;
            this.devices = from.getDevices();
        }

        @Override
        public String toString() {
            return name + " (" + uid + ") on " + node + devices + (everBound ? ", was bound" : "")
                    + (settled ? ", settled" : "");
        }
    }

    final String id;
    final String workload;
    final long attempt;
    /** Sequence of the journal entry that made it. */
    final long sequence;

    final String cluster;
    final String namespace;
    final boolean places;
    final boolean gang;
    final boolean create;
    final long deadlineMillis;
    final String revokes;
    final List<Member> members = new ArrayList<>();
    /** Pods that are to be evicted for the workload. */
    final List<Victim> victims = new ArrayList<>();
    /** Why pods are evicted; empty where none are. */
    String reason = "";

    final List<Outcome> outcomes = new ArrayList<>();

    DecisionTruth(Decision from) {
        id = from.getId();
        workload = from.getWorkload();
        attempt = from.getAttempt();
        sequence = from.getSequence();
        switch (from.getAction()) {
            case PlaceGang place -> {
                cluster = place.getCluster();
                namespace = place.getNamespace();
                places = true;
                gang = place.getGang();
                create = place.getCreate();
                deadlineMillis = place.getDeadlineMillis();
                revokes = "";
                for (NodePlacement node : place.getNodes()) {
                    node.getMembers()
                            .forEach(each -> members.add(new Member(this, each, node.getNode(), node.getNodeUid())));
                }
            }
            case Revoke revoke -> {
                cluster = revoke.getCluster();
                namespace = revoke.getNamespace();
                places = false;
                gang = false;
                create = false;
                deadlineMillis = 0;
                revokes = revoke.getRevokedDecisionId();
                revoke.getMembers().forEach(each -> members.add(new Member(this, each, "", "")));
            }
            case DeletePods delete -> {
                cluster = delete.getCluster();
                namespace = delete.getNamespace();
                places = false;
                gang = false;
                create = false;
                deadlineMillis = 0;
                revokes = "";
                delete.getMembers().forEach(each -> members.add(new Member(this, each, "", "")));
            }
            case Evict evict -> {
                cluster = evict.getCluster();
                namespace = evict.getNamespace();
                places = false;
                gang = false;
                create = false;
                deadlineMillis = evict.getDeadlineMillis();
                revokes = "";
                victims.addAll(evict.getVictims());
                reason = evict.getReason();
            }
            default -> throw new IllegalArgumentException("decision " + from.getId() + " has no known action");
        }
    }

    @Override
    public String toString() {
        return id + " of " + workload + " attempt " + attempt + " in " + cluster + ": "
                + (places
                        ? "places "
                        : !victims.isEmpty()
                                ? "evicts (" + reason + ") " + victims
                                : revokes.isEmpty() ? "deletes " : "revokes " + revokes + " ")
                + members
                + ", outcomes "
                + outcomes.stream().map(outcome -> outcome.getStatus().name()).toList();
    }
}
