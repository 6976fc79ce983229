package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.Outcome;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;

/** A cluster of pods p-0 … and nodes n-0 …, and a binder for it that can be started anew. */
final class Rig {

    static final String TEMPLATE = """
        {"metadata":{"labels":{"app":"train"},"annotations":{"muster.dev/runtime":"60s","muster.dev/attempt":"99"}},
         "spec":{"containers":[{"name":"c","image":"train:1","resources":{"requests":{"nvidia.com/gpu":"1"}}}]}}\
        """;

    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    final FakeCluster cluster = new FakeCluster();
    final FakeClock clock = new FakeClock();
    Templates templates = hash -> hash.equals("t1") ? Optional.of(TEMPLATE) : Optional.empty();

    static Rig withPods(int count) {
        Rig rig = withNodes(count);
        for (int i = 0; i < count; i++) {
            rig.cluster.addPod("p-" + i, "u-" + i);
        }
        return rig;
    }

    /** Pods and nodes, a claim c-0 … for each pod, and a disk d-0 … on each node. */
    static Rig withClaims(int count) {
        Rig rig = withPods(count);
        rig.addStorage(count);
        return rig;
    }

    void addStorage(int count) {
        for (int i = 0; i < count; i++) {
            cluster.storage.addClaim("c-" + i);
            cluster.storage.addVolume("d-" + i, "n-" + i);
        }
    }

    static Rig withNodes(int count) {
        Rig rig = new Rig();
        for (int i = 0; i < count; i++) {
            rig.cluster.addNode("n-" + i, "nu-" + i, true);
        }
        return rig;
    }

    /** A binder as it is just after its start: it knows nothing but what it lists. */
    DecisionCarrier start() {
        return carrier(cluster.freshView());
    }

    /** A binder whose watch keeps up. */
    DecisionCarrier running() {
        return carrier(cluster.view);
    }

    Outcome carryOut(Decision decision) {
        return running().carryOut(decision, new Halt());
    }

    private DecisionCarrier carrier(ClusterView view) {
        BinderConfig config = BinderConfig.defaults();
        Patience.Spacing spacing = Patience.Spacing.of(clock, config);
        return DecisionCarrier.over(
                cluster,
                view,
                new PodCreator(cluster, hash -> templates.json(hash), JSON),
                spacing,
                Parallel.THREADS,
                config,
                new ClaimWaits(),
                new SimpleMeterRegistry());
    }

    static List<String> statuses(Outcome outcome) {
        return outcome.getMembers().stream().map(m -> m.getStatus().name()).toList();
    }

    static List<String> reasons(Outcome outcome) {
        return outcome.getMembers().stream().map(MemberOutcome::getReason).toList();
    }
}
