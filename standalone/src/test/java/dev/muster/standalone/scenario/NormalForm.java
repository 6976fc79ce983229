package dev.muster.standalone.scenario;

import static java.util.stream.Collectors.joining;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.MemberPlacement;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.Revoke;
import dev.muster.schemas.decision.Victim;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decisions without what depends on the order in which threads came by: uids and ids. What is left is when, for whom, and
 * which member goes to which devices of which node.
 */
final class NormalForm {

    private static final String UID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

    private NormalForm() {}

    static List<String> of(List<Decision> decisions) {
        return decisions.stream().map(NormalForm::of).toList();
    }

    private static String of(Decision decision) {
        String action = switch (decision.getAction()) {
            case PlaceGang place ->
                "place in " + place.getCluster() + ": "
                        + sorted(place.getNodes().stream()
                                .flatMap(node -> node.getMembers().stream()
                                        .map(member ->
                                                member.getName() + " on " + node.getNode() + member.getDevices())));
            case Revoke revoke -> "revoke " + revoke.getReason() + ": " + names(revoke.getMembers());
            case DeletePods delete -> "delete " + delete.getReason() + ": " + names(delete.getMembers());
            case Evict evict ->
                "evict " + evict.getReason() + ": "
                        + sorted(evict.getVictims().stream().map(Victim::getName));
            default -> throw new AssertionError("unknown action of decision " + decision.getId());
        };
        return "after " + (decision.getTimeMillis() - ScenarioRun.START_MILLIS) + " ms, "
                + decision.getWorkload().replaceAll(UID, "*") + " attempt " + decision.getAttempt() + " " + action;
    }

    private static String names(List<MemberPlacement> members) {
        return sorted(members.stream().map(MemberPlacement::getName));
    }

    private static String sorted(Stream<String> texts) {
        return texts.sorted().collect(joining(", "));
    }
}
