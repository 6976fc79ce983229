package dev.muster.standalone.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberPlacement;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.PlacedPodSet;
import dev.muster.schemas.decision.Victim;
import dev.muster.schemas.event.ClusterQueueSpec;
import dev.muster.schemas.event.FlavorQuotas;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.event.ResourceGroup;
import dev.muster.schemas.event.ResourceQuota;
import dev.muster.schemas.journal.JournalEntry;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.faults.Oracle.ViolationException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;

/** What the oracle rejects, and what it stands on. */
class OracleTest {
    private static final Topics TOPICS = Topics.DEFAULT;

    private final LocalRegistry registry = new LocalRegistry();
    private final Oracle oracle = new Oracle(registry, TOPICS);
    private long offset;

    @Test
    void aPodThatIsBoundAsDecidedIsFine() {
        node("n", 1);
        pod("a", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));
        pod("a", "n", "1");
        visible(TOPICS.outcomes(), Outcome.class, outcome("1", "a", OutcomeStatus.BOUND, MemberStatus.BOUND));

        assertThat(oracle.unsettled()).isEmpty();
    }

    @Test
    void aPodThatIsBoundByNoDecisionIsRejected() {
        node("n", 1);
        pod("a", "", "");

        assertThatThrownBy(() -> pod("a", "n", "1")).isInstanceOf(ViolationException.class);
    }

    @Test
    void aPodThatMovesIsRejected() {
        node("n", 1);
        pod("a", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));
        pod("a", "n", "1");

        assertThatThrownBy(() -> pod("a", "other", "1")).hasMessageContaining("moved");
    }

    @Test
    void aDeviceThatIsPromisedTwiceIsRejected() {
        node("n", 2);
        pod("a", "", "");
        pod("b", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));

        assertThatThrownBy(() -> visible(TOPICS.decisions(), Decision.class, placement("2", "b", 0)))
                .hasMessageContaining("promised twice");
    }

    @Test
    void aPodThatIsPlacedTwiceIsRejected() {
        node("n", 2);
        pod("a", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));

        assertThatThrownBy(() -> visible(TOPICS.decisions(), Decision.class, placement("2", "a", 1)))
                .hasMessageContaining("stands");
    }

    @Test
    void aBindingAfterItWasSaidThatThereWillBeNoneIsRejected() {
        node("n", 1);
        pod("a", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));
        visible(TOPICS.outcomes(), Outcome.class, outcome("1", "a", OutcomeStatus.COMPENSATED, MemberStatus.RELEASED));

        assertThatThrownBy(() -> pod("a", "n", "1")).hasMessageContaining("cannot be");
    }

    @Test
    void anOutcomeThatClaimsABindingThatNeverWasIsRejected() {
        node("n", 1);
        pod("a", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));

        assertThatThrownBy(() -> visible(
                        TOPICS.outcomes(), Outcome.class, outcome("1", "a", OutcomeStatus.BOUND, MemberStatus.BOUND)))
                .hasMessageContaining("never was");
    }

    @Test
    void aDecisionWithoutAnOutcomeIsOpen() {
        node("n", 1);
        pod("a", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));

        assertThat(oracle.unsettled()).hasSize(1);
    }

    @Test
    void aPodThatIsTakenAwayThoughNoDecisionSaysSoIsRejected() {
        node("n", 2);
        pod("a", "", "");
        pod("b", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));
        visible(TOPICS.decisions(), Decision.class, placement("2", "b", 1));
        pod("a", "n", "1");
        pod("b", "n", "2");
        visible(TOPICS.decisions(), Decision.class, eviction("3", "a", false));

        oracle.takenAway(oracle.truth.podNamed("c", Objects.NAMESPACE, "a"));
        oracle.decisions.remove("2");

        assertThatThrownBy(() -> oracle.takenAway(oracle.truth.podNamed("c", Objects.NAMESPACE, "b")))
                .hasMessageContaining("no decision says so");
    }

    @Test
    void aGangThatGoesWholeAndLeavesAPodIsRejected() {
        node("n", 2);
        pod("a", "", "");
        pod("b", "", "");
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));
        visible(TOPICS.decisions(), Decision.class, placement("2", "b", 1));
        pod("a", "n", "1");
        pod("b", "n", "2");

        assertThatThrownBy(() -> visible(TOPICS.decisions(), Decision.class, eviction("3", "a", true)))
                .hasMessageContaining("stays");
    }

    @Test
    void evictionsWithoutEndAreRejectedOnceNothingBreaks() {
        oracle.evictions.heal();

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        visible(TOPICS.decisions(), Decision.class, eviction("e" + i, "a", false));
                    }
                })
                .hasMessageContaining("though nothing breaks");
    }

    @Test
    void aQueueThatUsesMoreThanItMayIsRejected() {
        node("n", 2);
        queuedPod("a");
        queuedPod("b");
        visible(TOPICS.journal(), JournalEntry.class, quota(0, 1, 0));
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));

        assertThatThrownBy(() -> visible(TOPICS.decisions(), Decision.class, placement("2", "b", 1)))
                .hasMessageContaining("q uses 2");
    }

    @Test
    void aQueueThatBorrowsWhatNobodyOwnsIsRejected() {
        node("n", 2);
        queuedPod("a");
        queuedPod("b");
        visible(TOPICS.journal(), JournalEntry.class, quota(0, 1, -1));
        visible(TOPICS.decisions(), Decision.class, placement("1", "a", 0));

        assertThatThrownBy(() -> visible(TOPICS.decisions(), Decision.class, placement("2", "b", 1)))
                .hasMessageContaining("cohort uses 2");
    }

    @Test
    void aGapInTheJournalIsRejectedAndTimeThatRunsBackAndARecordThatIsTakenTwice() {
        visible(TOPICS.journal(), JournalEntry.class, entry(0, 10, 5, 1));

        assertThatThrownBy(() -> visible(TOPICS.journal(), JournalEntry.class, entry(2, 10, 6, 1)))
                .hasMessageContaining("expected");
        assertThatThrownBy(() -> visible(TOPICS.journal(), JournalEntry.class, entry(1, 9, 6, 1)))
                .hasMessageContaining("runs back");
    }

    @Test
    void aRecordThatIsTakenTwiceIsRejected() {
        visible(TOPICS.journal(), JournalEntry.class, entry(0, 10, 5, 1));

        assertThatThrownBy(() -> visible(TOPICS.journal(), JournalEntry.class, entry(1, 10, 5, 1)))
                .hasMessageContaining("was taken after");
    }

    @Test
    void newsOfAnIngestThatWasReplacedIsRejected() {
        JournalEntry began = entry(0, 10, 5, 2);
        ((PodEvent) began.getEvent()).getOrigin().setChange(Change.RESYNC_BEGIN);
        visible(TOPICS.journal(), JournalEntry.class, began);

        assertThatThrownBy(() -> visible(TOPICS.journal(), JournalEntry.class, entry(1, 10, 6, 1)))
                .hasMessageContaining("epoch 1");
    }

    @Test
    void aFencedProducerCommitsNothing() {
        MemoryKafka kafka = new MemoryKafka(() -> 0);
        int first = kafka.initTransactions("id");
        kafka.initTransactions("id");
        MemoryKafka.Transaction work = new MemoryKafka.Transaction(
                List.of(new MemoryKafka.Entry("t", -1, "k", new byte[] {1}, 0)), List.of(), java.util.Map.of("t", 7L));

        assertThatThrownBy(() -> kafka.commit("id", first, "g", work)).isInstanceOf(ProducerFencedException.class);
        assertThat(kafka.records()).isZero();
        assertThat(kafka.committed("g", "t")).isEqualTo(-1);
    }

    @Test
    void leavingOneKindOfFaultOutDoesNotMoveTheOthers() {
        FaultPlan all = new FaultPlan(7, Set.of());
        Fault left = all.kinds().iterator().next();
        FaultPlan less = new FaultPlan(7, Set.of(left));

        for (Fault fault : all.kinds()) {
            if (fault != left) {
                IntStream.range(0, 200)
                        .forEach(i -> assertThat(less.strikes(fault)).isEqualTo(all.strikes(fault)));
            }
        }
        assertThat(less.strikes(left)).isFalse();
    }

    // ---- what happens

    private <T extends SpecificRecord> void visible(String topic, Class<T> type, T record) {
        byte[] value = new AvroSerde<>(registry, type).serializer().serialize(topic, record);
        oracle.visible(new MemoryKafka.Entry(topic, offset++, "prod", value, 0));
    }

    private void node(String name, int gpus) {
        ObjectNode node = Objects.node(name, new Ask(8_000, 8_192, gpus, 0, 10));
        ((ObjectNode) node.get("metadata")).put("uid", "uid-" + name);
        oracle.truth.node("c", "ADDED", node);
    }

    private void pod(String name, String node, String decision) {
        ObjectNode pod = Objects.pod(name, new Objects.PodShape(new Ask(1_000, 1_024, 1, 0, 1), 10, 1, false));
        ((ObjectNode) pod.get("metadata")).put("uid", "uid-" + name);
        pod.withObject("/metadata/annotations").put("muster.dev/decision", decision);
        ((ObjectNode) pod.get("spec")).put("nodeName", node);
        oracle.truth.pod("c", "MODIFIED", pod);
    }

    private static Decision placement(String id, String pod, int device) {
        MemberPlacement member = new MemberPlacement(0, 0, pod, "uid-" + pod, List.of(device), -1);
        PlaceGang place = new PlaceGang(
                "c",
                Objects.NAMESPACE,
                true,
                false,
                List.of(new PlacedPodSet("", "", List.of(), List.of())),
                List.of(new NodePlacement("n", "uid-n", List.of(member))),
                0L,
                List.of(),
                List.of());
        return new Decision(id, "prod", 0L, 0, 0L, "w", 1L, place);
    }

    private void queuedPod(String name) {
        ObjectNode pod = Objects.pod(name, new Objects.PodShape(new Ask(1_000, 1_024, 1, 0, 1), 10, 1, false));
        ((ObjectNode) pod.get("metadata")).put("uid", "uid-" + name);
        oracle.truth.pod("c", "ADDED", Objects.inQueue(pod, "q"));
    }

    private static JournalEntry quota(long sequence, long nominal, long borrowing) {
        Origin origin = new Origin("prod", "c", 1L, Change.UPSERT, "", "q", "uid-q", 1L);
        ResourceQuota gpus = new ResourceQuota(Ask.GPU, nominal, borrowing, -1L);
        ClusterQueueSpec spec = ClusterQueueSpec.newBuilder()
                .setResourceGroups(
                        List.of(new ResourceGroup(List.of(Ask.GPU), List.of(new FlavorQuotas("any", List.of(gpus))))))
                .build();
        return new JournalEntry(
                "prod", sequence, 10L, TOPICS.policies(), 1L, new PolicyEvent(origin, "ClusterQueue", spec));
    }

    private static Decision eviction(String id, String pod, boolean whole) {
        Victim victim = Victim.newBuilder()
                .setWorkload("w")
                .setWhole(whole)
                .setNamespace(Objects.NAMESPACE)
                .setName(pod)
                .setUid("uid-" + pod)
                .setNode("n")
                .build();
        Evict evict = new Evict("c", Objects.NAMESPACE, List.of(victim), "LowerPriority", 0L);
        return new Decision(id, "prod", 0L, 0, 0L, "other", 1L, evict);
    }

    private static Outcome outcome(String id, String pod, OutcomeStatus status, MemberStatus member) {
        return new Outcome(
                "prod",
                "c",
                id,
                "w",
                status,
                false,
                List.of(new MemberOutcome(0, 0, pod, "uid-" + pod, member, "", "", 1L)),
                0L);
    }

    private static JournalEntry entry(long sequence, long millis, long offset, long epoch) {
        Origin origin = new Origin("prod", "c", epoch, Change.DELETE, "ml", "a", "uid-a", 1L);
        return new JournalEntry("prod", sequence, millis, TOPICS.pods(), offset, new PodEvent(origin, null));
    }
}
