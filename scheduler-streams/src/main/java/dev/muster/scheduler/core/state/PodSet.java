package dev.muster.scheduler.core.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Members of a workload that play one role: a Volcano task, a replica type, or simply all pods of a group. */
public final class PodSet {
    private final Workload workload;
    private final String name;
    private final String templateHash;
    /** What rules of other pods see of its pods before they are made; null where pods exist already. */
    private final SeenPod unmade;

    private final int[] counts = new int[Member.Phase.values().length];
    /** In the order of their ranks; a list, since a set takes several times the room and most gangs are small. */
    private final ArrayList<Member> members = new ArrayList<>(1);

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
    public List<Member> members() {
        return Collections.unmodifiableList(members);
    }

    void add(Member member) {
        int at = Collections.binarySearch(members, member);
        if (at >= 0) {
            throw new LawBrokenException(member.name() + " is in its pod set already");
        }
        members.add(-at - 1, member);
    }

    void remove(Member member) {
        members.remove(Collections.binarySearch(members, member));
    }

    /** Members that want room now, in the order of their ranks. */
    public List<Member> waiting() {
        int count = count(Member.Phase.WAITING);
        if (count == 0 || count == members.size()) {
            return count == 0 ? List.of() : List.copyOf(members);
        }
        List<Member> waiting = new ArrayList<>(count);
        for (Member member : members) {
            if (member.waits()) {
                waiting.add(member);
            }
        }
        return Collections.unmodifiableList(waiting);
    }

    /** Members in a phase. */
    public int count(Member.Phase phase) {
        return counts[phase.ordinal()];
    }

    /** Members that count towards the minimum: held, bound or ended well, as Volcano counts ready tasks, unless the gang says otherwise. */
    public int ready() {
        return workload.ready(counts);
    }

    void recount(Member member) {
        Member.Phase now = member.phase();
        if (now == member.counted()) {
            return;
        }
        uncount(member);
        member.countAs(now);
        counts[now.ordinal()]++;
        workload.counted(now, 1);
        if (now == Member.Phase.WAITING) {
            workload.waitingChanged();
        }
    }

    void uncount(Member member) {
        if (member.counted() == null) {
            return;
        }
        counts[member.counted().ordinal()]--;
        workload.counted(member.counted(), -1);
        if (member.counted() == Member.Phase.WAITING) {
            workload.waitingChanged();
        }
        member.countAs(null);
    }
}
