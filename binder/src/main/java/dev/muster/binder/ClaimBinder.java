package dev.muster.binder;

import dev.muster.binder.Progress.Failed;
import dev.muster.binder.Progress.Ready;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gets claims bound before the pods that use them are, as kube-scheduler's VolumeBinding plugin does: a volume that exists is
 * given the claim, for one that is to be made the claim is given its node; then the claim's controller and provisioner have
 * their turn, and it is waited for them.
 *
 * <p>All claims of a gang are looked at before anything is written for the first one: most of what can be wrong is seen then.
 * What was written stays when a placement is taken back, as with kube-scheduler; a volume that is being made can't be called
 * off. Doing it again finds it done.
 */
final class ClaimBinder {

    /** How far a claim has come. */
    private sealed interface Stand {
        /** Something is to be written, exactly to what was read. */
        record Write(Runnable call) implements Stand {}

        /** All was written; others have to do their part. */
        record Waits(String forWhat) implements Stand {}

        /** It came to an end: bound, or not. */
        record Ended(Result result) implements Stand {}
    }

    /**
     * How it ended.
     *
     * @param failed null where all is well
     * @param nodes nodes whose members that concerns; empty for all
     */
    private record Result(Failed failed, Set<String> nodes) {
        private static final Result BOUND = new Result(null, Set.of());

        static Result failed(Failure why, String message) {
            return new Result(new Failed(why, message), Set.of());
        }

        boolean concerns(Member member) {
            return failed != null && (nodes.isEmpty() || nodes.contains(member.node()));
        }
    }

    private final ClusterApi api;
    private final PodReader reader;
    private final Patience.Spacing spacing;
    private final Parallel parallel;
    private final ClaimWaits waits;

    ClaimBinder(ClusterApi api, Patience.Spacing spacing, Parallel parallel, ClaimWaits waits) {
        this.api = api;
        this.reader = new PodReader(api);
        this.spacing = spacing;
        this.parallel = parallel;
        this.waits = waits;
    }

    /** Claims that members which may be bound wait for. */
    static List<GangRun.Claim> wanted(GangRun run, List<Progress> progress) {
        return run.claims().stream()
                .filter(claim -> claim.members().stream().anyMatch(member -> progress.get(member) instanceof Ready))
                .toList();
    }

    /** Gets these claims bound; members that can't have theirs have failed then. */
    List<Progress> bind(GangRun run, List<GangRun.Claim> claims, List<Progress> progress) {
        waits.begin(claims.size());
        try {
            List<Stand> stands =
                    parallel.each(claims.size(), i -> look(run, claims.get(i), false, run.patience(spacing)));
            for (int i = 0; i < claims.size(); i++) {
                if (stands.get(i) instanceof Stand.Ended(Result result)) {
                    failing(run, claims.get(i), result);
                }
            }
            List<Result> results = parallel.each(claims.size(), i -> end(run, claims.get(i), stands.get(i)));
            List<Progress> after = new ArrayList<>(progress);
            for (int i = 0; i < claims.size(); i++) {
                for (int member : claims.get(i).members()) {
                    if (after.get(member) instanceof Ready
                            && results.get(i).concerns(run.members().get(member))) {
                        after.set(member, results.get(i).failed());
                    }
                }
            }
            return after;
        } finally {
            waits.end(claims.size());
        }
    }

    /** Brings a claim to its end, unless the gang can't be bound any more. */
    private Result end(GangRun run, GangRun.Claim claim, Stand first) {
        Patience patience = run.patience(spacing);
        Stand stand = first;
        boolean written = false;
        boolean conflict = false;
        while (true) {
            if (stand instanceof Stand.Ended(Result result)) {
                return failing(run, claim, result);
            }
            Optional<Failed> end = stand instanceof Stand.Write ? run.endOf() : run.endOfWait();
            if (end.isPresent()) {
                return failing(run, claim, late(claim, stand, end.get()));
            }
            boolean again;
            try {
                if (stand instanceof Stand.Write write) {
                    write.call().run();
                }
                written = true;
                again = patience.again(waits.pauseMillis());
            } catch (ApiException e) {
                ErrorTable.Verdict verdict = ErrorTable.verdictOrStop(e);
                if (verdict == ErrorTable.Verdict.REFUSED) {
                    return failing(run, claim, Result.failed(Failure.REFUSED, claim.path() + ": " + e.getMessage()));
                }
                // A first conflict is mostly somebody's status: no need to pause.
                boolean atOnce = verdict == ErrorTable.Verdict.REREAD && !conflict;
                conflict |= verdict == ErrorTable.Verdict.REREAD;
                again = atOnce || patience.again(e.retryAfterMillis());
            }
            if (again) {
                stand = look(run, claim, written, patience);
            }
        }
    }

    /** Time is up, or another member has failed: what the claim still waited for says more than the deadline. */
    private static Result late(GangRun.Claim claim, Stand stand, Failed end) {
        return end.why() == Failure.DEADLINE && stand instanceof Stand.Waits(String forWhat)
                ? Result.failed(Failure.CLAIM_NOT_BOUND, "claim " + claim.path() + " is not bound in time: " + forWhat)
                : new Result(end, Set.of());
    }

    private static Result failing(GangRun run, GangRun.Claim claim, Result result) {
        claim.members().stream()
                .map(run.members()::get)
                .filter(result::concerns)
                .forEach(member -> run.fail(member, result.failed()));
        return result;
    }

    /** What is to be done about a claim, by what the API server says now. */
    private Stand look(GangRun run, GangRun.Claim claim, boolean written, Patience patience) {
        try {
            Optional<ClaimState> found = reader.claim(claim.namespace(), claim.name(), patience);
            if (found.isEmpty()) {
                return ended(Failure.CLAIM_UNUSABLE, "claim " + claim.path() + " does not exist");
            }
            ClaimState now = found.get();
            if (now.deleting() || now.lost()) {
                String what = now.deleting() ? " is being deleted" : " has lost its volume";
                return ended(Failure.CLAIM_UNUSABLE, "claim " + claim.path() + what);
            }
            if (now.bound()) {
                return reached(run, claim, now, patience);
            }
            if (!now.volume().isEmpty()) {
                return new Stand.Waits("volume " + now.volume() + " is being bound to it");
            }
            return claim.volume().isEmpty() ? toBeMade(claim, now, written) : toBeGiven(claim, now, written, patience);
        } catch (PodReader.UnreadableException e) {
            return ended(Failure.SERVER_ERROR, e.getMessage());
        }
    }

    private Stand toBeMade(GangRun.Claim claim, ClaimState now, boolean written) {
        String node = claim.node();
        if (now.selectedNode().equals(node)) {
            return new Stand.Waits("its volume is being made for node " + node);
        }
        if (!now.selectedNode().isEmpty()) {
            return elsewhere(claim, now);
        }
        return written
                ? ended(
                        Failure.PROVISIONING_FAILED,
                        "the provisioner made no volume for claim " + claim.path() + " on node " + node)
                : new Stand.Write(() -> api.selectNode(now, node));
    }

    private Stand toBeGiven(GangRun.Claim claim, ClaimState now, boolean written, Patience patience)
            throws PodReader.UnreadableException {
        if (!now.selectedNode().isEmpty()) {
            return elsewhere(claim, now);
        }
        String name = claim.volume();
        Optional<VolumeState> found = reader.volume(name, patience);
        if (found.isEmpty()) {
            return ended(Failure.VOLUME_TAKEN, "volume " + name + " for claim " + claim.path() + " does not exist");
        }
        VolumeState volume = found.get();
        if (volume.isOf(now) && !volume.deleting()) {
            return new Stand.Waits("volume " + name + " is being bound to it");
        }
        if (volume.isFreeFor(now) && !written) {
            return new Stand.Write(() -> api.giveVolume(volume, now));
        }
        String why = volume.deleting()
                ? " is being deleted"
                : volume.claim().isEmpty() ? " was taken from it again" : " is claim " + volume.claim() + "'s";
        return ended(Failure.VOLUME_TAKEN, "volume " + name + " for claim " + claim.path() + why);
    }

    private static Stand elsewhere(GangRun.Claim claim, ClaimState now) {
        return ended(
                Failure.VOLUME_ELSEWHERE,
                "a volume for claim " + claim.path() + " is being made for node " + now.selectedNode());
    }

    /** Whether the volume that a claim is bound to can be used where its pods are to be; the volume may not be listed yet. */
    private Stand reached(GangRun run, GangRun.Claim claim, ClaimState now, Patience patience)
            throws PodReader.UnreadableException {
        Optional<VolumeState> volume = reader.volume(now.volume(), patience);
        if (volume.isEmpty()) {
            return new Stand.Waits("volume " + now.volume() + ", to which it is bound, does not exist");
        }
        if (volume.get().nodeTerms().isEmpty()) {
            return new Stand.Ended(Result.BOUND);
        }
        Set<String> nodes = new TreeSet<>();
        claim.members().forEach(member -> nodes.add(run.members().get(member).node()));
        Set<String> outside = new TreeSet<>();
        for (String node : nodes) {
            Optional<Map<String, String>> labels = reader.nodeLabels(node, patience);
            if (labels.isEmpty() || !NodeTerms.match(volume.get().nodeTerms(), node, labels.get())) {
                outside.add(node);
            }
        }
        if (outside.isEmpty()) {
            return new Stand.Ended(Result.BOUND);
        }
        String message = "volume " + now.volume() + " of claim " + claim.path() + " can't be used on node "
                + String.join(", ", outside);
        return new Stand.Ended(new Result(new Failed(Failure.VOLUME_ELSEWHERE, message), outside));
    }

    private static Stand ended(Failure why, String message) {
        return new Stand.Ended(Result.failed(why, message));
    }
}
