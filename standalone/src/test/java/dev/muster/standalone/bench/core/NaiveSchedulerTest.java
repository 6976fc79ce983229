package dev.muster.standalone.bench.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.scheduler.core.decision.Action.PlaceGang;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.standalone.bench.core.NaiveScheduler.Placement;
import dev.muster.standalone.bench.core.NaiveScheduler.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The core's indexes change nothing: it places what looking at every node for every pod would place. */
class NaiveSchedulerTest {
    private static final String CLUSTER = "small";

    private final Engine engine = Engine.empty();
    private final NaiveScheduler naive = new NaiveScheduler();
    private long resourceVersion;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theCorePlacesAsALookAtEveryNodeWould(long seed) {
        Random random = new Random(seed);
        cluster(random);
        List<List<List<Pod>>> gangs = new ArrayList<>();
        for (int gang = 0; gang < 1 + random.nextInt(12); gang++) {
            gangs.add(gang("g" + gang, random));
        }

        List<Placement> expected = new ArrayList<>();
        Set<String> triedOnce = new HashSet<>();
        for (List<List<Pod>> gang : gangs) {
            List<Placement> placed = naive.place(gang);
            expected.addAll(placed);
            if (placed.isEmpty() && gang.size() > 1) {
                gang.forEach(role -> role.forEach(pod -> triedOnce.add(pod.name())));
            }
        }

        List<Placement> placements = placements(apply(new ClusterEvent.Tick("marked")));
        assumeTrue(
                placements.stream().noneMatch(placement -> triedOnce.contains(placement.pod())),
                "the core goes back where one pass places no gang of several roles, the naive scheduler does not");
        assertThat(placements).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aGangThatDoesNotFitLeavesNoTrace() {
        naive.add("n", new NodeFacts(new TreeMap<>(), List.of(), false, true, List.of(new Amount("cpu", 4))));
        Requirement one = cpu(1);
        Requirement three = cpu(3);

        assertThat(naive.place(List.of(List.of(new Pod("a", three), new Pod("b", three)))))
                .isEmpty();
        assertThat(naive.place(List.of(List.of(new Pod("c", one)), List.of(new Pod("d", three)))))
                .hasSize(2);
    }

    @Test
    void figuresOfWrongPlacementsAreRefused() {
        assertThatThrownBy(() -> Placements.checked(List.of(), 1, 8)).hasMessage("placed 0 of 1 gangs");
    }

    private static Requirement cpu(long amount) {
        return new Requirement(List.of(new Amount("cpu", amount)), 0, List.of(), List.of(), List.of(), List.of(), "");
    }

    private void cluster(Random random) {
        apply(new ClusterEvent.EngineStarted(Engine.VERSION));
        apply(new ClusterEvent.PolicyChanged(
                origin("", "operator"), Kinds.SCHEDULER_POLICY, SchedulerPolicy.DEFAULT.withStrategy("binpack")));
        Kinds.NEEDED_TO_PLACE.forEach(kind -> apply(new ClusterEvent.ResyncBegan(CLUSTER, kind, 1)));
        for (int node = 0; node < 1 + random.nextInt(10); node++) {
            List<Amount> allocatable = List.of(
                    new Amount("cpu", 8 + 4L * random.nextInt(5)),
                    new Amount("memory", 64 + 32L * random.nextInt(4)),
                    new Amount("nvidia.com/gpu", random.nextInt(9)),
                    new Amount("pods", 3 + random.nextInt(20)));
            NodeFacts facts = new NodeFacts(new TreeMap<>(), List.of(), false, true, allocatable);
            naive.add("n" + node, facts);
            apply(new ClusterEvent.NodeChanged(origin("", "n" + node), facts));
        }
        Kinds.NEEDED_TO_PLACE.forEach(kind -> apply(new ClusterEvent.ResyncEnded(CLUSTER, kind, 1, 0)));
    }

    private List<List<Pod>> gang(String name, Random random) {
        List<List<Pod>> roles = new ArrayList<>();
        List<GroupFacts.Task> tasks = new ArrayList<>();
        int all = 0;
        for (int role = 0; role < 1 + random.nextInt(3); role++) {
            Requirement requirement = requirement(random);
            List<Pod> pods = new ArrayList<>();
            for (int index = 0; index < 1 + random.nextInt(4); index++) {
                String pod = name + "-" + role + "-" + index;
                pods.add(new Pod(pod, requirement));
                apply(new ClusterEvent.PodChanged(origin("ml", pod), pod(name, "role" + role, index, requirement)));
            }
            tasks.add(new GroupFacts.Task("role" + role, pods.size(), pods.size(), ""));
            roles.add(pods);
            all += pods.size();
        }
        apply(new ClusterEvent.GroupChanged(
                origin("ml", name), Kinds.VOLCANO_POD_GROUP, new GroupFacts("", "", all, tasks, "", "", 0, 0)));
        return roles;
    }

    /** A few shapes, so that equal ones come again. */
    private static Requirement requirement(Random random) {
        int size = 1 + random.nextInt(3);
        List<Amount> requests = new ArrayList<>();
        requests.add(new Amount("cpu", size));
        requests.add(new Amount("memory", 8L * size));
        if (random.nextInt(3) > 0) {
            requests.add(new Amount("nvidia.com/gpu", size));
        }
        requests.add(new Amount("pods", 1));
        return new Requirement(requests, 0, List.of(), List.of(), List.of(), List.of(), "");
    }

    private static PodFacts pod(String gang, String task, int index, Requirement requirement) {
        GroupRef group = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, gang);
        return new PodFacts(
                "muster",
                true,
                "Pending",
                "",
                false,
                false,
                0,
                true,
                group,
                task,
                index,
                "",
                requirement,
                List.of(),
                "",
                0);
    }

    private static List<Placement> placements(List<Decision> decisions) {
        List<Placement> placements = new ArrayList<>();
        for (Decision decision : decisions) {
            ((PlaceGang) decision.action())
                    .nodes()
                    .forEach(node -> node.members()
                            .forEach(member ->
                                    placements.add(new Placement(member.name(), node.node(), member.devices()))));
        }
        return placements;
    }

    private Origin origin(String namespace, String name) {
        return new Origin(CLUSTER, 1, namespace, name, "uid-of-" + name, ++resourceVersion);
    }

    private List<Decision> apply(ClusterEvent event) {
        return engine.apply(new JournalEntry(engine.nextSequence(), 0, event)).decisions();
    }
}
