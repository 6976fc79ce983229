package dev.muster.standalone.openb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.standalone.trace.TraceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoliciesTest {
    private static final Shape CPU_ONLY = shape(0, 8_000, 0, 0);
    private static final Shape SHARED = shape(1, 8_000, 1, 300);
    private static final Shape ONE = shape(2, 8_000, 1, 1000);
    private static final Shape TWO = shape(3, 8_000, 2, 1000);

    /**
     * A node of 64 cores and 4 GPUs that runs a shared pod of 600 on device 0 and a whole one on device 1: 48 cores and 2400
     * thousandths of GPUs are left.
     */
    @ParameterizedTest
    @CsvSource({
        // 1 - (40/128 + 2400/8000) / 2 = 0.69375; with 300 less 0.7125, with a whole one less 0.75625
        "BestFit, 69, 71, 75",
        // 1 - 48/128 x 8/128 / 2 = 0.98828; less 2400/8000 x 300/8000 / 2 = 0.98266; less x 1000/8000 = 0.96953
        "DotProd, 98, 98, 96",
        // device 0 with 40 % left: 100 - 40/10; a free device on a used node: 50 - 1
        "GpuPacking, 0, 96, 49",
        // (8000 - 2400) x 25 / 8000 = 17; of several kinds its own is one: + 50
        "GpuClustering, 0, 67, 67",
        // (40/64 + 2400/4000) / 2 = 0.6125; (0.625 + 0.525) / 2; (0.625 + 0.35) / 2
        "Spread, 61, 57, 48",
        "FirstFit, 0, 0, 0"
    })
    void scoresAreThoseWorkedOutByHand(String name, int cpuOnly, int shared, int one) {
        GpuNode node = node(64_000, 4);
        node.take(shape(4, 8_000, 1, 600), new int[] {0});
        node.take(ONE, new int[] {1});
        Policy policy = policy(name);

        assertThat(policy.score(CPU_ONLY, node)).isEqualTo(cpuOnly);
        assertThat(policy.score(SHARED, node)).isEqualTo(shared);
        assertThat(policy.score(ONE, node)).isEqualTo(one);
    }

    @Test
    void packingOpensAnEmptyNodeLast() {
        assertThat(policy("GpuPacking").score(ONE, node(64_000, 2))).isEqualTo(31);
        assertThat(policy("GpuPacking").score(ONE, node(64_000, 8))).isEqualTo(25);
    }

    @Test
    void clusteringPrefersANodeOfItsKindThenAnEmptyOneThenOneOfOthers() {
        GpuNode empty = node(64_000, 4);
        GpuNode same = node(64_000, 4);
        same.take(ONE, new int[] {0});
        GpuNode other = node(64_000, 4);
        other.take(TWO, new int[] {0, 1});

        Policy policy = policy("GpuClustering");

        // 4000, 3000 and 2000 thousandths are left: fullness 12, 15 and 18 of 25.
        assertThat(policy.score(ONE, same)).isEqualTo(15 + 75);
        assertThat(policy.score(ONE, empty)).isEqualTo(12 + 25);
        assertThat(policy.score(ONE, other)).isEqualTo(18);
    }

    @Test
    void popularShapesCoverNinetyFivePercentTheLargerOfEqualsFirst() {
        // 19 of 20 pods are 95 %: the shape that only one pod has is left out.
        List<Shape> pods = new ArrayList<>();
        IntStream.range(0, 8).forEach(i -> pods.add(ONE));
        IntStream.range(0, 8).forEach(i -> pods.add(TWO));
        IntStream.range(0, 3).forEach(i -> pods.add(CPU_ONLY));
        pods.add(SHARED);

        List<Fragmentation.Popular> popular = Fragmentation.of(pods).popular();

        assertThat(popular).extracting(Fragmentation.Popular::gpus).containsExactly(2, 1, 0);
        assertThat(popular.stream().mapToDouble(Fragmentation.Popular::weight).sum())
                .isEqualTo(1, within(1e-12));
        assertThat(popular.getFirst().weight()).isEqualTo(8 / 19.0, within(1e-12));
    }

    @Test
    void whatPopularShapesCannotUseIsFragmented() {
        Fragmentation fragmentation = Fragmentation.of(List.of(CPU_ONLY, SHARED, ONE, TWO));

        // Two devices with 200 and 1000. CPU_ONLY: all 1200. SHARED and ONE: 200 lies on a device too small. TWO: all
        // 1200.
        assertThat(fragmentation.of("A100", 8_000, new int[] {200, 1000}))
                .isEqualTo((1200 + 200 + 200 + 1200) / 4.0, within(1e-9));
        // Without enough cpu nobody can use anything.
        assertThat(fragmentation.of("A100", 7_999, new int[] {200, 1000})).isEqualTo(1200, within(1e-9));
    }

    @Test
    void aModelThatIsNotAllowedCannotBeUsed() {
        Fragmentation fragmentation = Fragmentation.of(List.of(new Shape(0, 1_000, 1, 1, 1000, List.of("T4")), ONE));

        assertThat(fragmentation.of("A100", 8_000, new int[] {1000, 1000})).isEqualTo(1000, within(1e-9));
        assertThat(fragmentation.of("T4", 8_000, new int[] {1000, 1000})).isZero();
    }

    @Test
    void theGradientKeepsWholeDevicesForThoseWhoNeedThem() {
        Policy policy = new FragmentationGradient(Fragmentation.of(List.of(ONE, SHARED)));
        GpuNode opened = node(64_000, 2);
        opened.take(shape(4, 1_000, 1, 500), new int[] {1});

        assertThat(policy.device(SHARED, opened)).isEqualTo(1);
        assertThat(policy.score(SHARED, opened)).isGreaterThan(policy.score(SHARED, node(64_000, 2)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"DotProd", "GpuClustering", "GpuPacking", "BestFit", "FGD", "FirstFit", "Spread"})
    void rankingFindsWhatLookingAtEveryNodeFinds(String name) {
        SplittableRandom random = new SplittableRandom(11);
        List<Shape> shapes = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int gpus = random.nextInt(4);
            int milli = gpus == 1 ? 100 + random.nextInt(901) : gpus == 0 ? 0 : 1000;
            shapes.add(shape(i, 1_000 + 1_000 * random.nextInt(12), gpus, milli));
        }
        Policy policy = name.equals("FGD") ? new FragmentationGradient(Fragmentation.of(shapes)) : policy(name);
        List<GpuNode> nodes = new ArrayList<>();
        for (int i = 0; i < 37; i++) {
            nodes.add(new GpuNode(
                    new TraceNode("n" + i, 16_000L << random.nextInt(3), 1 << 20, random.nextInt(9), "A100"), i));
        }
        Scheduler scheduler = new PolicyScheduler(policy, nodes);

        int placed = 0;
        for (int i = 0; i < 1_000; i++) {
            Shape shape = shapes.get(random.nextInt(shapes.size()));
            GpuNode best = null;
            int bestScore = -1;
            for (GpuNode node : nodes) {
                if (node.fits(shape) && policy.score(shape, node) > bestScore) {
                    best = node;
                    bestScore = policy.score(shape, node);
                }
            }
            Scheduler.Placement placement = scheduler.place(shape);
            assertThat(placement == null ? null : placement.node()).isSameAs(best);
            placed += placement == null ? 0 : 1;
        }
        assertThat(placed).isBetween(100, 900);
    }

    @Test
    void aCurveIsTheMeanOfWhatWasAllocatedAtEachLoad() {
        LoadCurve curve = new LoadCurve(4);

        curve.arrived(ONE, 1000);
        curve.arrived(CPU_ONLY, 1000);
        curve.arrived(TWO, 1000);
        curve.arrived(ONE, 2000);
        curve.arrived(CPU_ONLY, 2000);
        curve.arrived(CPU_ONLY, 4000);

        // 25 % twice; 75 %; 100 % three times: 50, 50 and 100.
        assertThat(curve.values()).hasSize(131);
        assertThat(curve.values().get(25)).isEqualTo(25);
        assertThat(curve.values().get(50)).isNaN();
        assertThat(curve.values().get(75)).isEqualTo(25);
        assertThat(curve.values().get(100)).isEqualTo(66.67);
    }

    private static Policy policy(String name) {
        return Map.<String, Policy>of(
                        "BestFit", new Policies.BestFit(),
                        "DotProd", new Policies.DotProduct(),
                        "GpuPacking", new Policies.GpuPacking(),
                        "GpuClustering", new Policies.GpuClustering(),
                        "FirstFit", new Policies.FirstFit(),
                        "Spread", new Policies.Spread())
                .get(name);
    }

    private static GpuNode node(long cpuMillis, int gpus) {
        return new GpuNode(new TraceNode("n", cpuMillis, 1 << 20, gpus, "A100"), 0);
    }

    private static Shape shape(int id, long cpuMillis, int gpus, int gpuMilli) {
        return new Shape(id, cpuMillis, 1, gpus, gpuMilli, List.of());
    }
}
