package dev.muster.binder;

import dev.muster.binder.Progress.Bound;
import dev.muster.binder.Progress.Failed;
import dev.muster.binder.Progress.Ready;
import java.util.Optional;

/**
 * Says whether a member may be bound, from what the watch told (a glance) or from what the API server says now (a
 * look).
 */
final class MemberCheck {

    private static final Failed MISSING = new Failed(Failure.POD_GONE, "the pod does not exist");

    private static final Failed IN_THE_WAY = new Failed(Failure.POD_GONE, "an earlier pod of that name is still there");

    private final ClusterView view;
    private final PodReader reader;

    MemberCheck(ClusterView view, PodReader reader) {
        this.view = view;
        this.reader = reader;
    }

    /** Without a call to the API server. A failure may be yesterday's news: look before acting on it. */
    Progress glance(GangRun run, Member member) {
        Optional<PodState> pod = view.pod(member.key());
        if (pod.isEmpty()) {
            return MISSING;
        }
        Progress progress = judgePod(run, member, pod.get());
        return progress instanceof Ready ? judgeNode(run, member, progress, view.node(member.node())) : progress;
    }

    /** With calls to the API server. */
    Progress look(GangRun run, Member member, Patience patience) {
        try {
            Optional<PodState> pod = reader.pod(member.key(), patience);
            return pod.isEmpty() ? MISSING : judge(run, member, pod.get(), patience);
        } catch (PodReader.UnreadableException e) {
            return new Failed(Failure.SERVER_ERROR, e.getMessage());
        }
    }

    /** Judges a pod that was just read or made, and its node. */
    Progress judge(GangRun run, Member member, PodState pod, Patience patience) {
        Progress progress = judgePod(run, member, pod);
        if (!(progress instanceof Ready)
                || judgeNode(run, member, progress, view.node(member.node())) instanceof Ready) {
            return progress;
        }
        try {
            return judgeNode(run, member, progress, reader.node(member.node(), patience));
        } catch (PodReader.UnreadableException e) {
            return new Failed(Failure.SERVER_ERROR, e.getMessage());
        }
    }

    /** Whether a pod has to be made: none is there, or one of an earlier run that is on its way out. */
    static boolean isMissing(Progress progress) {
        return progress.equals(MISSING) || progress.equals(IN_THE_WAY);
    }

    /** A binder before this one began to compensate this very placement: there is no way back. */
    static boolean fencedByThis(GangRun run, PodState pod) {
        return !pod.bound() && pod.attempt() == run.attempt() && pod.fencedBy().equals(run.decisionId());
    }

    private static Progress judgePod(GangRun run, Member member, PodState pod) {
        if (run.creates(member) && (pod.deleting() || pod.ended()) && !pod.boundBy(run.decisionId())) {
            return IN_THE_WAY;
        }
        if (!member.isOf(pod, run.job())) {
            return run.creates(member)
                    ? new Failed(
                            Failure.REFUSED,
                            "a pod of that name exists and is not of job "
                                    + run.job().job())
                    : new Failed(Failure.POD_CHANGED, "the pod was replaced: its uid is " + pod.uid());
        }
        if (pod.boundBy(run.decisionId()) && pod.node().equals(member.node())) {
            return pod.deleting() ? new Failed(Failure.POD_GONE, "the pod is being deleted") : new Bound(pod);
        }
        if (fencedByThis(run, pod)) {
            return new Failed(Failure.ofMark(pod.fencedBecause()), "the gang is being taken back");
        }
        if (pod.attempt() >= run.attempt()) {
            return new Failed(Failure.FENCED, "attempt " + pod.attempt() + " was already applied to the pod");
        }
        if (pod.bound()) {
            String by = pod.decision().isEmpty() ? "somebody else" : "decision " + pod.decision();
            return new Failed(Failure.CONFLICT, "bound to " + pod.node() + " by " + by);
        }
        if (pod.deleting() || pod.ended()) {
            return new Failed(Failure.POD_GONE, pod.ended() ? "the pod has ended" : "the pod is being deleted");
        }
        return new Ready(pod);
    }

    private static Progress judgeNode(GangRun run, Member member, Progress ready, Optional<NodeState> node) {
        if (node.isEmpty()) {
            return new Failed(Failure.NODE_GONE, "node " + member.node() + " does not exist");
        }
        if (!node.get().uid().equals(run.nodeUid(member.node()))) {
            return new Failed(Failure.NODE_GONE, "node " + member.node() + " was replaced");
        }
        return node.get().ready()
                ? ready
                : new Failed(Failure.NODE_NOT_READY, "node " + member.node() + " is not ready");
    }
}
