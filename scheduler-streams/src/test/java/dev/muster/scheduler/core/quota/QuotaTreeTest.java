package dev.muster.scheduler.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.quota.QuotaNode.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QuotaTreeTest {
    private static final FlavorResource GPU = new FlavorResource("any", "nvidia.com/gpu");
    private static final FlavorResource CPU = new FlavorResource("any", "cpu");
    private static final FlavorResource SPOT = new FlavorResource("spot", "nvidia.com/gpu");

    private static QuotaNode queue(String name, String cohort, Limits gpus) {
        return new QuotaNode(Id.queue(name), cohort, 1000, new TreeMap<>(SortedMaps.of(GPU, gpus)));
    }

    private static QuotaNode cohort(String name, String parent, Limits gpus) {
        return new QuotaNode(Id.cohort(name), parent, 1000, new TreeMap<>(SortedMaps.of(GPU, gpus)));
    }

    private static Limits owns(long nominal) {
        return new Limits(nominal, Limits.UNLIMITED, Limits.UNLIMITED);
    }

    @Test
    void aQueueAloneHasWhatItOwns() {
        QuotaTree tree = new QuotaTree(List.of(queue("a", "", owns(4))));
        tree.charge("a", GPU, 3);
        assertThat(tree.available("a", GPU)).isEqualTo(1);
        tree.charge("a", GPU, 3);
        assertThat(tree.available("a", GPU)).isEqualTo(-2);
        tree.charge("a", GPU, -6);
        assertThat(tree.available("a", GPU)).isEqualTo(4);
    }

    /** Field case 18: A owns 4, B owns 4 and lends 1. */
    @Test
    void whatIsNotLentStaysWithItsOwner() {
        QuotaTree tree = new QuotaTree(
                List.of(queue("a", "shared", owns(4)), queue("b", "shared", new Limits(4, Limits.UNLIMITED, 1))));
        tree.charge("a", GPU, 5);
        assertThat(tree.available("a", GPU)).isZero();
        assertThat(tree.borrowed(Id.queue("a"), GPU)).isEqualTo(1);
        assertThat(tree.available("b", GPU)).isEqualTo(3);
        tree.charge("b", GPU, 3);
        assertThat(tree.available("b", GPU)).isZero();
        tree.charge("a", GPU, -1);
        assertThat(tree.available("b", GPU)).isEqualTo(1);
    }

    @Test
    void whatMayBeBorrowedIsBounded() {
        QuotaTree tree = new QuotaTree(
                List.of(queue("a", "shared", new Limits(2, 3, Limits.UNLIMITED)), queue("b", "shared", owns(10))));
        assertThat(tree.available("a", GPU)).isEqualTo(5);
        assertThat(tree.potential(Id.queue("a"), GPU)).isEqualTo(5);
        tree.charge("b", GPU, 8);
        assertThat(tree.available("a", GPU)).isEqualTo(4);
        assertThat(tree.potential(Id.queue("a"), GPU)).isEqualTo(5);
    }

    @Test
    void aCohortOwnsAndBorrowsForAllBelowIt() {
        QuotaTree tree = new QuotaTree(List.of(
                cohort("org", "", owns(6)),
                cohort("team", "org", new Limits(1, 2, Limits.UNLIMITED)),
                queue("a", "team", owns(1)),
                queue("b", "team", owns(1)),
                queue("other", "org", owns(0))));
        // The team owns 1 + 1 + 1 and may borrow 2 of the organisation's 6.
        assertThat(tree.available("a", GPU)).isEqualTo(5);
        tree.charge("b", GPU, 4);
        assertThat(tree.available("a", GPU)).isEqualTo(1);
        assertThat(tree.available("other", GPU)).isEqualTo(5);
        assertThat(tree.borrowed(Id.cohort("team"), GPU)).isEqualTo(1);
    }

    @Test
    void cohortsBelowThemselvesAdmitNothing() {
        QuotaTree tree = new QuotaTree(List.of(
                cohort("x", "y", owns(4)),
                cohort("y", "x", owns(4)),
                queue("a", "x", owns(4)),
                queue("b", "", owns(4))));
        assertThat(tree.disabled(Id.queue("a"))).isTrue();
        assertThat(tree.available("a", GPU)).isZero();
        assertThat(tree.disabled(Id.queue("b"))).isFalse();
        assertThat(tree.available("b", GPU)).isEqualTo(4);
    }

    @Test
    void theShareIsWhatIsBorrowedOfWhatCouldBeLent() {
        QuotaTree tree = new QuotaTree(List.of(
                new QuotaNode(Id.queue("a"), "shared", 1000, SortedMaps.of(GPU, owns(2))),
                new QuotaNode(Id.queue("heavy"), "shared", 2000, SortedMaps.of(GPU, owns(2))),
                new QuotaNode(Id.queue("none"), "shared", 0, SortedMaps.of(GPU, owns(2))),
                queue("lender", "shared", owns(10))));
        assertThat(tree.share(Id.queue("a"), SortedMaps.of(GPU, 2L)).borrowing())
                .isFalse();
        Share a = tree.share(Id.queue("a"), SortedMaps.of(GPU, 6L));
        assertThat(a.value()).isEqualTo((4L << 20) / 16);
        assertThat(a.resource()).isEqualTo("nvidia.com/gpu");
        assertThat(tree.share(Id.queue("heavy"), SortedMaps.of(GPU, 6L)).value())
                .isEqualTo(a.value() / 2);
        Share none = tree.share(Id.queue("none"), SortedMaps.of(GPU, 3L));
        assertThat(none).isGreaterThan(a);
        assertThat(tree.share(Id.queue("none"), SortedMaps.of(GPU, 2L))).isLessThan(a);
    }

    @Test
    void memoryInBytesKeepsItsShare() {
        FlavorResource memory = new FlavorResource("any", "memory");
        QuotaTree tree = new QuotaTree(List.of(
                new QuotaNode(Id.queue("a"), "shared", 1000, SortedMaps.of(memory, owns(0))),
                new QuotaNode(Id.queue("b"), "shared", 1000, SortedMaps.of(memory, owns(1L << 55)))));
        assertThat(tree.share(Id.queue("a"), SortedMaps.of(memory, 1L << 54)).value())
                .isEqualTo(1L << 19);
    }

    /** Random trees and histories, against what the documentation says in the plainest form; {@code -Dmuster.trees=100000}. */
    @Test
    void agreesWithThePlainMeaning() {
        int trees = Integer.getInteger("muster.trees", 2_000);
        for (int seed = 1; seed <= trees; seed++) {
            play(seed);
        }
    }

    private static void play(int seed) {
        Random random = new Random(seed);
        List<QuotaNode> described = randomTree(random);
        List<String> queues = described.stream()
                .map(QuotaNode::id)
                .filter(id -> id.kind() == QuotaNode.Kind.QUEUE)
                .map(Id::name)
                .toList();
        QuotaTree tree = new QuotaTree(described);
        NaiveQuota naive = new NaiveQuota(described);
        List<Charge> charges = new ArrayList<>();
        for (int step = 0; step < 12; step++) {
            Charge wish = new Charge(
                    queues.get(random.nextInt(queues.size())),
                    random.nextBoolean() ? GPU : SPOT,
                    1 + random.nextInt(6));
            boolean fits = wish.amount() <= tree.available(wish.queue(), wish.column());
            assertThat(fits)
                    .as("seed %d: %s after %s in %s", seed, wish, charges, described)
                    .isEqualTo(naive.fits(wish.queue(), wish.column(), wish.amount()));
            if (fits) {
                charges.add(wish);
                tree.charge(wish.queue(), wish.column(), wish.amount());
                naive.charge(wish.queue(), wish.column(), wish.amount());
            } else if (!charges.isEmpty()) {
                Charge over = charges.remove(random.nextInt(charges.size()));
                tree.charge(over.queue(), over.column(), -over.amount());
                naive.charge(over.queue(), over.column(), -over.amount());
            }
            for (Id id : tree.ids()) {
                assertThat(tree.quota(id, GPU) - tree.usage(id, GPU))
                        .as("seed %d: left of %s after %s in %s", seed, id, charges, described)
                        .isEqualTo(naive.left(id, GPU));
            }
        }
        for (Id id : tree.ids()) {
            assertThat(tree.share(id, new TreeMap<>()).value())
                    .as("seed %d: share of %s after %s in %s", seed, id, charges, described)
                    .isEqualTo(naive.share(id, List.of(CPU, GPU, SPOT)));
            assertThat(tree.usedInAll(id, GPU))
                    .as("seed %d: used by %s after %s in %s", seed, id, charges, described)
                    .isEqualTo(charges.stream()
                            .filter(charge -> charge.column().equals(GPU)
                                    && tree.path(Id.queue(charge.queue())).contains(id))
                            .mapToLong(Charge::amount)
                            .sum());
        }
        charges.forEach(charge -> tree.charge(charge.queue(), charge.column(), -charge.amount()));
        tree.ids().forEach(id -> assertThat(tree.usage(id, GPU)).isZero());
    }

    private record Charge(String queue, FlavorResource column, long amount) {}

    private static List<QuotaNode> randomTree(Random random) {
        List<QuotaNode> described = new ArrayList<>();
        int cohorts = random.nextInt(5);
        for (int i = 0; i < cohorts; i++) {
            // Each below an earlier one, or a root; sometimes below one that nobody describes.
            String parent = i == 0 || random.nextInt(3) == 0 ? "" : "c" + random.nextInt(i);
            described.add(new QuotaNode(
                    Id.cohort("c" + i), random.nextInt(9) == 0 ? "unsaid" : parent, weight(random), limits(random)));
        }
        int queues = 1 + random.nextInt(5);
        for (int i = 0; i < queues; i++) {
            String parent = cohorts == 0 || random.nextInt(5) == 0 ? "" : "c" + random.nextInt(cohorts);
            described.add(new QuotaNode(Id.queue("q" + i), parent, weight(random), limits(random)));
        }
        return described;
    }

    private static int weight(Random random) {
        return random.nextInt(4) * 500;
    }

    private static SortedMap<FlavorResource, Limits> limits(Random random) {
        TreeMap<FlavorResource, Limits> limits = new TreeMap<>();
        for (FlavorResource column : List.of(CPU, GPU, SPOT)) {
            if (random.nextInt(4) > 0) {
                limits.put(
                        column,
                        new Limits(
                                random.nextInt(9),
                                random.nextBoolean() ? Limits.UNLIMITED : random.nextInt(6),
                                random.nextBoolean() ? Limits.UNLIMITED : random.nextInt(6)));
            }
        }
        return limits;
    }

    /** Sorted maps of one entry. */
    private static final class SortedMaps {
        static <V> SortedMap<FlavorResource, V> of(FlavorResource column, V value) {
            TreeMap<FlavorResource, V> map = new TreeMap<>();
            map.put(column, value);
            return map;
        }
    }
}
