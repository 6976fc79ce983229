package dev.muster.scheduler.core.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.rule.RuleCatalogue;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Facts;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Members;
import dev.muster.scheduler.core.state.NodeState;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered about nodes against a look at every node, over random changes of nodes and pods. */
class CandidatesTest {
    private static final String CLUSTER = TestDomain.CLUSTER;
    private static final int STEPS = 20_000;
    private static final int NODES = 12;

    private final DomainState state = new DomainState();
    private final Facts facts = new Facts(state, new Members(state));
    private long version;

    @ParameterizedTest
    @ValueSource(strings = {"binpack", "spread", "fgd"})
    void theBestCandidateIsTheOneThatALookAtEveryNodeFinds(String strategy) {
        Profile profile = RuleCatalogue.profile(strategy);
        Random random = new Random(7);
        node(0, random);
        InternedRequirement wanted = requirement(2);
        Candidates candidates = new Candidates(state, profile, state.cluster(CLUSTER), wanted);
        int found = 0;
        for (int step = 0; step < STEPS; step++) {
            change(random);
            if (random.nextInt(3) == 0) {
                NodeState expected = lookAtAll(profile, wanted);
                assertThat(candidates.best()).as("step %d", step).isSameAs(expected);
                found += expected == null ? 0 : 1;
            }
        }
        assertThat(found).isBetween(STEPS / 30, STEPS * 10 / 31);
    }

    private void change(Random random) {
        String uid = "p" + random.nextInt(NODES * 4);
        switch (random.nextInt(12)) {
            case 0 -> node(random.nextInt(NODES), random);
            case 1 -> facts.nodeGone(new NodeGone(origin("", "n" + random.nextInt(NODES))));
            case 2, 3, 4, 5, 6 -> facts.pods().gone(new PodGone(origin("ml", uid)));
            default ->
                facts.pods()
                        .changed(new PodChanged(
                                origin("ml", uid), pod("n" + random.nextInt(NODES), 1 + random.nextInt(3))));
        }
    }

    private NodeState lookAtAll(Profile profile, InternedRequirement wanted) {
        NodeState best = null;
        long bestScore = -1;
        for (NodeState node : state.cluster(CLUSTER).nodes()) {
            if (Candidates.room(profile, wanted, node) > 0) {
                long score = profile.score(wanted, node, state);
                if (score > bestScore || (score == bestScore && node.ordinal() < best.ordinal())) {
                    best = node;
                    bestScore = score;
                }
            }
        }
        return best;
    }

    private void node(int number, Random random) {
        String name = "n" + number;
        NodeFacts usual = TestDomain.nodeFacts(name, 4 + 4 * random.nextInt(2), Map.of());
        boolean cordoned = random.nextInt(6) == 0;
        boolean ready = random.nextInt(6) > 0;
        facts.nodeChanged(new NodeChanged(
                origin("", name), new NodeFacts(usual.labels(), usual.taints(), cordoned, ready, usual.allocatable())));
    }

    private InternedRequirement requirement(int gpus) {
        Requirement requirement = TestDomain.gpus(gpus);
        facts.pods().changed(new PodChanged(origin("ml", "first"), pod("", gpus)));
        return state.requirement(requirement);
    }

    private static PodFacts pod(String node, int gpus) {
        return new PodFacts(
                "other",
                false,
                "Running",
                node,
                false,
                false,
                0,
                true,
                null,
                "",
                -1,
                "",
                TestDomain.gpus(gpus),
                List.of(),
                "",
                0);
    }

    private Origin origin(String namespace, String name) {
        return new Origin(CLUSTER, 1, namespace, name, "uid-" + name, ++version);
    }
}
