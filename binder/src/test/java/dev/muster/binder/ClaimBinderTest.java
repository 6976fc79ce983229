package dev.muster.binder;

import static dev.muster.binder.Decisions.GROUP;
import static dev.muster.binder.Decisions.decision;
import static dev.muster.binder.Decisions.gangOf;
import static dev.muster.binder.Decisions.making;
import static dev.muster.binder.Decisions.surplusOf;
import static dev.muster.binder.Decisions.taking;
import static dev.muster.binder.Rig.reasons;
import static dev.muster.binder.Rig.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.ClaimPlacement;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims are bound before the pods that wait for them are. */
class ClaimBinderTest {

    private final Rig rig = Rig.withClaims(3);
    private final FakeCluster cluster = rig.cluster;
    private final FakeStorage storage = cluster.storage;

    private static Decision made() {
        return decision("d1", GROUP, 1, making(gangOf(3)));
    }

    private static Decision taken() {
        return decision("d1", GROUP, 1, taking(gangOf(3)));
    }

    @Test
    void aClaimIsGivenItsNodeAndItsPodIsBoundWhenItsVolumeIsThere() {
        Outcome outcome = rig.carryOut(made());

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(storage.claimObject("c-1").getMetadata().getAnnotations())
                .containsEntry("volume.kubernetes.io/selected-node", "n-1");
        assertThat(storage.volumeOf("c-2")).isEqualTo("made-for-c-2");
        assertThat(cluster.callsOf("select")).isEqualTo(3);
        assertThat(cluster.calls.indexOf("bind p-0")).isGreaterThan(lastOf("claim"));
    }

    @Test
    void aVolumeThatExistsIsGivenItsClaim() {
        Outcome outcome = rig.carryOut(taken());

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(storage.volumeOf("c-0")).isEqualTo("d-0");
        assertThat(cluster.callsOf("give")).isEqualTo(3);
        assertThat(cluster.callsOf("select")).isZero();
    }

    @Test
    void nothingIsWrittenBeforeAllClaimsOfAGangWereLookedAt() {
        storage.take("d-2", "other", "cu-other");

        Outcome outcome = rig.carryOut(taken());

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(reasons(outcome)).containsOnly("VolumeTaken");
        assertThat(outcome.getMembers().get(2).getMessage())
                .isEqualTo("volume d-2 for claim ml/c-2 is claim ml/other's");
        assertThat(cluster.callsOf("give") + cluster.callsOf("bind")).isZero();
    }

    @Test
    void aVolumeThatSomebodyTakesInTheLastMomentTakesTheGangBack() {
        cluster.on("give d-1").after(() -> storage.take("d-1", "other", "cu-other"));

        Outcome outcome = rig.carryOut(taken());

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getMembers().get(1).getReason()).isEqualTo("VolumeTaken");
        assertThat(cluster.callsOf("bind")).isZero();
        assertThat(cluster.callsOf("annotate")).as("fences").isEqualTo(3);
    }

    @Test
    void aProvisionerThatGivesUpTakesTheGangBack() {
        storage.refusedNodes.add("n-1");

        Outcome outcome = rig.carryOut(made());

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getRefused()).isFalse();
        assertThat(outcome.getMembers().get(1).getReason()).isEqualTo("ProvisioningFailed");
        assertThat(outcome.getMembers().get(1).getMessage())
                .isEqualTo("the provisioner made no volume for claim ml/c-1 on node n-1");
        assertThat(outcome.getMembers().get(0).getMessage()).startsWith("not without pod p-1: ");
        assertThat(cluster.callsOf("bind")).isZero();
        assertThat(storage.claimObject("c-0").getMetadata().getAnnotations())
                .as("what is being made is left alone")
                .containsEntry(Marks.SELECTED_NODE, "n-0");
    }

    @Test
    void surplusThatGetsItsVolumesStartsWithoutThatWhichDoesNot() {
        storage.refusedNodes.add("n-1");

        Outcome outcome = rig.carryOut(decision("d1", GROUP, 1, making(surplusOf(3))));

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.PARTLY_BOUND);
        assertThat(statuses(outcome)).containsExactly("BOUND", "RELEASED", "BOUND");
    }

    @Test
    void aVolumeThatIsNotThereInTimeTakesTheGangBackAndSaysWhatItWaitedFor() {
        storage.idleReads = Integer.MAX_VALUE;

        Outcome outcome = rig.carryOut(made());

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(reasons(outcome)).containsOnly("ClaimNotBound");
        assertThat(outcome.getMembers())
                .extracting(member -> member.getMessage())
                .anyMatch(message ->
                        message.matches("claim ml/c-. is not bound in time: its volume is being made for node n-."));
        assertThat(rig.clock.epochMillis()).isGreaterThanOrEqualTo(Decisions.DEADLINE_MILLIS);
    }

    @Test
    void thePodsAreLookedAtAgainAfterTheWait() {
        storage.idleReads = 20;
        cluster.on("labels n-0").after(() -> cluster.beginDeletion("p-1"));

        Outcome outcome = rig.carryOut(made());

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getMembers().get(1).getReason()).isEqualTo("PodGone");
        assertThat(cluster.callsOf("bind")).isZero();
    }

    @Test
    void aClaimThatIsBoundAlreadyNeedsNothingWhereItsVolumeCanBeUsed() {
        storage.take("d-0", "c-0", "cu-c-0");

        assertThat(rig.carryOut(made()).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(cluster.calls).doesNotContain("select c-0");
    }

    @Test
    void aClaimWhoseVolumeIsElsewhereTakesTheGangBack() {
        storage.take("d-1", "c-0", "cu-c-0");

        Outcome outcome = rig.carryOut(made());

        assertThat(outcome.getMembers().get(0).getReason()).isEqualTo("VolumeElsewhere");
        assertThat(outcome.getMembers().get(0).getMessage())
                .isEqualTo("volume d-1 of claim ml/c-0 can't be used on node n-0");
        assertThat(cluster.callsOf("select") + cluster.callsOf("bind")).isZero();
    }

    @Test
    void aClaimForWhichAVolumeIsBeingMadeElsewhereTakesTheGangBack() {
        storage.idleReads = 3;
        storage.editClaim(
                "c-0",
                claim -> claim.editMetadata()
                        .addToAnnotations(Marks.SELECTED_NODE, "n-2")
                        .endMetadata());

        for (Decision decision : List.of(made(), decision("d2", GROUP, 2, taking(gangOf(3))))) {
            Outcome outcome = rig.carryOut(decision);
            assertThat(outcome.getMembers().get(0).getMessage())
                    .isEqualTo("a volume for claim ml/c-0 is being made for node n-2");
            storage.idleReads = 3;
        }
        assertThat(cluster.callsOf("select") + cluster.callsOf("give")).isZero();
    }

    @Test
    void aClaimThatIsGoneOrGoingTakesTheGangBack() {
        storage.removeClaim("c-0");
        Outcome outcome = rig.carryOut(made());
        assertThat(outcome.getMembers().get(0).getReason()).isEqualTo("ClaimUnusable");
        assertThat(outcome.getMembers().get(0).getMessage()).isEqualTo("claim ml/c-0 does not exist");

        storage.addClaim("c-0");
        storage.editClaim(
                "c-0",
                claim -> claim.editMetadata()
                        .withDeletionTimestamp("2026-01-01T00:00:00Z")
                        .endMetadata());
        Outcome next = rig.carryOut(decision("d2", GROUP, 2, making(gangOf(3))));
        assertThat(next.getMembers().get(0).getMessage()).isEqualTo("claim ml/c-0 is being deleted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"select c-1", "claim c-1", "volume made-for-c-1", "labels n-1"})
    void whatIsLostOnTheWayIsSettledByReading(String call) {
        cluster.on(call).losesTheReply();
        cluster.on(call).answers(503, "busy");
        cluster.on(call).getsLost();

        assertThat(rig.carryOut(made()).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(storage.volumeOf("c-1")).isEqualTo("made-for-c-1");
    }

    @Test
    void aConflictIsReadAndWrittenAgain() {
        cluster.on("give d-1")
                .after(() -> storage.editVolume(
                        "d-1",
                        volume -> volume.editMetadata()
                                .addToLabels("by", "somebody")
                                .endMetadata()))
                .times(3);

        assertThat(rig.carryOut(taken()).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(storage.volumeOf("c-1")).isEqualTo("d-1");
    }

    @Test
    void aClaimThatMayNotBeChangedIsRefused() {
        cluster.on("select c-1")
                .answers(403, "persistentvolumeclaims is forbidden")
                .always();

        Outcome outcome = rig.carryOut(made());

        assertThat(outcome.getRefused()).isTrue();
        assertThat(outcome.getMembers().get(1).getReason()).isEqualTo("Refused");
    }

    @Test
    void aLaterDecisionEndsTheWait() {
        storage.idleReads = Integer.MAX_VALUE;
        Halt halt = new Halt();
        cluster.on("select *").after(halt::revoke);

        Outcome outcome = rig.running().carryOut(made(), halt);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.SUPERSEDED);
        assertThat(rig.clock.epochMillis()).isLessThan(Decisions.DEADLINE_MILLIS);
    }

    @Test
    void aClaimThatSeveralPodsShareIsBoundOnceAndMustReachAllOfThem() {
        var place = gangOf(3);
        place.setClaims(List.of(new ClaimPlacement("ml/c-0", "", "n-0", List.of(0, 1, 2))));

        Outcome outcome = rig.carryOut(decision("d1", GROUP, 1, place));

        assertThat(cluster.callsOf("select")).isEqualTo(1);
        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getMembers().get(1).getMessage())
                .isEqualTo("volume made-for-c-0 of claim ml/c-0 can't be used on node n-1, n-2");

        storage.editVolume(
                "made-for-c-0",
                volume -> volume.editSpec().withNodeAffinity(null).endSpec());
        assertThat(rig.carryOut(decision("d2", GROUP, 2, place)).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void podsThatAreMadeWaitForTheirClaimsToo() {
        Rig noPods = Rig.withNodes(2);
        noPods.addStorage(2);

        Outcome outcome = noPods.carryOut(decision("d1", Decisions.JOB, 1, making(Decisions.createdGangOf(2))));

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(noPods.cluster.storage.volumeOf("c-1")).isEqualTo("made-for-c-1");
    }

    private int lastOf(String kind) {
        for (int i = cluster.calls.size() - 1; i >= 0; i--) {
            if (cluster.calls.get(i).startsWith(kind + " ")) {
                return i;
            }
        }
        return -1;
    }
}
