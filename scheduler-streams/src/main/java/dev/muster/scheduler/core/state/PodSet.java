package dev.muster.scheduler.core.state;

import java.util.SortedSet;
import java.util.TreeSet;

/** Members of a workload that play one role: a Volcano task, a replica type, or simply all pods of a group. */
public final class PodSet {
    private final Workload workload;
    private final String name;
    private final String templateHash;
    /** What rules of other pods see of its pods before they are made; null where pods exist already. */
    private final SeenPod unmade;

    private final int[] counts = new int[Member.Phase.values().length];
    final TreeSet<Member> members = new TreeSet<>();
    private final TreeSet<Member> waiting = new TreeSet<>();

    PodSet(Workload workload, String name) {
        this(workload, name, "", null);
    }

    PodSet(Workload workload, String name, String templateHash, SeenPod unmade) {
        this.workload = workload;
        this.name = name;
        this.templateHash = templateHash;
        this.unmade = unmade;
    }

    SeenPod unmade() {
        return unmade;
    }

    /** The workload it is part of. */
    public Workload workload() {
        return workload;
    }

    /** Task name; empty where the gang has no tasks. */
    public String name() {
        return name;
    }

    /** Template the binder creates pods from; empty where pods exist already. */
    public String templateHash() {
        return templateHash;
    }

    /** Its members, in the order of their ranks. */
    public SortedSet<Member> members() {
        return members;
    }

    /** Members that want room, in the order of their ranks. */
    public SortedSet<Member> waiting() {
        return waiting;
    }

    /** Members in a phase. */
    public int count(Member.Phase phase) {
        return counts[phase.ordinal()];
    }

    /** Members that count towards the minimum: held, bound or ended well, as Volcano counts ready tasks. */
    public int ready() {
        return count(Member.Phase.HELD) + count(Member.Phase.BOUND) + count(Member.Phase.SUCCEEDED);
    }

    void recount(Member member) {
        Member.Phase now = member.phase();
        if (now == member.counted) {
            return;
        }
        uncount(member);
        member.counted = now;
        counts[now.ordinal()]++;
        workload.counted(now, 1);
        if (now == Member.Phase.WAITING) {
            waiting.add(member);
            workload.waitingChanged();
        }
    }

    void uncount(Member member) {
        if (member.counted == null) {
            return;
        }
        counts[member.counted.ordinal()]--;
        workload.counted(member.counted, -1);
        if (member.counted == Member.Phase.WAITING) {
            waiting.remove(member);
            workload.waitingChanged();
        }
        member.counted = null;
    }
}
