package dev.muster.scheduler.core;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.GroupGone;
import dev.muster.scheduler.core.event.ClusterEvent.HealthChanged;
import dev.muster.scheduler.core.event.ClusterEvent.JobCancelled;
import dev.muster.scheduler.core.event.ClusterEvent.JobResumed;
import dev.muster.scheduler.core.event.ClusterEvent.JobSubmitted;
import dev.muster.scheduler.core.event.ClusterEvent.JobSuspended;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.ClusterEvent.OutcomeReported;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.DeviceGroup;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.GangShape;
import dev.muster.scheduler.core.model.GpuWish;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.HealthEviction;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.HyperNodeMember;
import dev.muster.scheduler.core.model.MatchPolicy;
import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.QuotaObject;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SpreadConstraint;
import dev.muster.scheduler.core.model.Storage;
import dev.muster.scheduler.core.model.SubGroup;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.state.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A cluster's life by seed: nodes and gangs come and go, decisions are carried out, refused, half done or forgotten. */
final class RandomHistory {
    private static final long ROUND_MILLIS = 5_000;
    /** Longer than any back-off, and than room is kept. */
    private static final int QUIET_ROUNDS = 130;

    private static final int MOST_ROUNDS = 2_000;

    private final Random random;
    private final TestDomain domain = TestDomain.synced();
    private final List<Decision> open = new ArrayList<>();
    private final QuotaObjects quota = new QuotaObjects(domain);
    private int groups;
    private int jobs;

    private RandomHistory(long seed) {
        random = new Random(seed);
    }

    /** Plays as many steps and hands out the domain with its journal; laws were checked after every entry. */
    static TestDomain play(long seed, int steps) {
        RandomHistory history = new RandomHistory(seed);
        for (int i = 0; i < 4; i++) {
            history.node("n" + i);
        }
        for (int step = 0; step < steps; step++) {
            history.step();
        }
        return history.domain;
    }

    /**
     * Plays as many steps; then nothing new comes any more: what is decided is carried out, whoever is evicted comes back, and
     * time passes. Gives the number of evictions from then on; fails where it does not come to rest.
     */
    static int playToRest(long seed, int steps) {
        RandomHistory history = new RandomHistory(seed);
        for (int i = 0; i < 4; i++) {
            history.node("n" + i);
        }
        for (int step = 0; step < steps; step++) {
            history.step();
        }
        return history.rest();
    }

    private int rest() {
        int evictions = 0;
        int quiet = 0;
        for (int round = 0; quiet < QUIET_ROUNDS; round++) {
            if (round == MOST_ROUNDS) {
                throw new AssertionError(evictions + " evictions, and no end");
            }
            boolean busy = !open.isEmpty();
            while (!open.isEmpty()) {
                evictions += carryOut(open.removeFirst());
            }
            for (PodChanged pod : List.copyOf(domain.pods.values())) {
                if (pod.facts().deleting()) {
                    comeBack(pod);
                }
            }
            domain.pass(ROUND_MILLIS);
            decided(domain.tick());
            quiet = busy || !open.isEmpty() ? 0 : quiet + 1;
        }
        return evictions;
    }

    /** A controller makes a pod of a gang anew; a lone pod is gone for good. */
    private void comeBack(PodChanged pod) {
        PodFacts facts = pod.facts();
        domain.gone(pod.origin().name());
        if (facts.group() != null && facts.group().kind() != WorkloadKind.JOB) {
            domain.pod(
                    "ml",
                    pod.origin().name(),
                    facts.group(),
                    facts.task(),
                    facts.index(),
                    facts.priority(),
                    facts.requirement(),
                    facts.labels());
        }
    }

    /** Carries a decision out as it was meant; the number of pods that were evicted by it. */
    private int carryOut(Decision decision) {
        switch (decision.action()) {
            case Action.PlaceGang place -> {
                place.nodes().forEach(node -> bindAll(decision, place, node));
                report(decision, false);
            }
            case Action.Revoke revoke ->
                domain.report(decision, DecisionOutcome.Status.REVOKED, MemberStatus.RELEASED, false);
            case Action.DeletePods delete -> {
                delete.members().stream()
                        .map(MemberPlacement::name)
                        .filter(domain.pods::containsKey)
                        .forEach(domain::gone);
                domain.report(decision, DecisionOutcome.Status.DELETED, MemberStatus.GONE, false);
            }
            case Action.Evict evict -> {
                evictAll(evict);
                domain.reportEviction(decision, DecisionOutcome.Status.EVICTED, MemberStatus.EVICTED);
                return evict.victims().size();
            }
        }
        return 0;
    }

    private void evictAll(Action.Evict evict) {
        for (Action.Victim victim : evict.victims()) {
            PodChanged pod = domain.pods.get(victim.name());
            if (pod != null && !pod.facts().deleting()) {
                domain.deleting(victim.name());
            }
        }
    }

    private void decided(List<Decision> decisions) {
        decisions.forEach(this::checkVictims);
        open.addAll(decisions);
    }

    private static final List<String> LOST =
            List.of(Action.Evict.FATAL_HEALTH, Action.Evict.NODE_LOST, Action.Evict.SLOTS_EXPIRED);

    /** Victims have a lower priority; their gang goes whole or keeps its minimum. Who lost what it runs on is evicted for itself. */
    private void checkVictims(Decision decision) {
        if (!(decision.action() instanceof Action.Evict evict)) {
            return;
        }
        if (LOST.contains(evict.reason())) {
            expect(
                    evict.victims().stream()
                            .allMatch(victim -> victim.workload().equals(decision.workload())),
                    decision.workload() + " lost members, and others are evicted");
            return;
        }
        Map<String, List<Action.Victim>> byWorkload = new TreeMap<>();
        evict.victims()
                .forEach(victim -> byWorkload
                        .computeIfAbsent(victim.workload().value(), same -> new ArrayList<>())
                        .add(victim));
        byWorkload.forEach((id, victims) -> {
            WorkloadStatus victim = domain.statuses.get(id);
            WorkloadStatus preemptor = domain.statuses.get(decision.workload().value());
            boolean byPriority = evict.reason().equals(Action.Evict.LOWER_PRIORITY);
            expect(!byPriority || victim.priority() < preemptor.priority(), id + " is evicted for " + preemptor.id());
            int left = victim.bound() - victims.size();
            boolean kept = victim.kind() == WorkloadKind.JOB || left + succeeded(victim) >= victim.minMember();
            expect(
                    victims.getFirst().whole() ? left == 0 : kept,
                    id + " has " + left + " pods left of a minimum of " + victim.minMember());
        });
    }

    private int succeeded(WorkloadStatus workload) {
        return (int) domain.pods.values().stream()
                .filter(pod -> pod.facts().group() != null
                        && pod.facts().group().name().equals(workload.object())
                        && pod.facts().phase().equals("Succeeded"))
                .count();
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private void step() {
        switch (random.nextInt(30)) {
            case 29 -> budget();
            case 28 -> operator();
            case 22 -> storage();
            case 23 -> quota();
            case 24, 25 -> batchJob();
            case 26 ->
                domain.apply(new GroupGone(domain.origin("ml", "b" + random.nextInt(groups + 1)), Kinds.BATCH_JOB));
            case 27 ->
                domain.pod("ml", "lone-" + groups++, null, "", -1, random.nextInt(3), amongPods(), inSomeQueue());
            case 0 -> node("n" + random.nextInt(6));
            case 1 -> nodeTrouble();
            case 2, 3, 4 -> gang();
            case 5, 6 -> domain.pod("ml", "lone-" + groups++, null, "", -1, random.nextInt(3), amongPods(), labels());
            case 7 -> submit();
            case 8 -> tenant();
            case 9, 10 -> endSomePod();
            case 11 -> anyPod(domain::deleting);
            case 12 -> anyPod(domain::gone);
            case 13 -> domain.pass(random.nextInt(20_000));
            case 14 -> priorityClass();
            case 15 -> groupGone();
            case 16 -> anyPod(pod -> domain.relabel(pod, labels()));
            case 17 -> namespace();
            case 18 -> topology();
            default -> settleOne();
        }
        domain.pass(random.nextInt(50));
        if (random.nextInt(3) > 0) {
            List<Decision> decided = domain.tick();
            decided(decided);
            QuotaCheck.of(domain).within(decided);
        }
    }

    /** Everything ends, in one way or another; what was charged for it must be gone. */
    static TestDomain playToTheEnd(long seed, int steps) {
        RandomHistory history = new RandomHistory(seed);
        for (int i = 0; i < 4; i++) {
            history.node("n" + i);
        }
        for (int step = 0; step < steps; step++) {
            history.step();
        }
        TestDomain domain = history.domain;
        for (String kind : List.of(Kinds.VOLCANO_POD_GROUP, Kinds.BATCH_JOB)) {
            for (int i = 0; i <= history.groups; i++) {
                String name = (kind.equals(Kinds.BATCH_JOB) ? "b" : "g") + i;
                domain.apply(new GroupGone(domain.origin("ml", name), kind));
            }
        }
        for (int i = 0; i <= history.jobs; i++) {
            history.open.addAll(
                    domain.apply(new JobCancelled("team", "end", "j" + i, 0)).decisions());
        }
        List.copyOf(domain.pods.keySet()).forEach(domain::gone);
        for (int round = 0; round < 4; round++) {
            List.copyOf(history.open)
                    .forEach(decision -> domain.report(
                            decision,
                            switch (decision.action()) {
                                case Action.PlaceGang place -> DecisionOutcome.Status.COMPENSATED;
                                case Action.Revoke revoke -> DecisionOutcome.Status.REVOKED;
                                case Action.DeletePods delete -> DecisionOutcome.Status.DELETED;
                                case Action.Evict evict -> DecisionOutcome.Status.REVOKED;
                            },
                            MemberStatus.RELEASED,
                            false));
            history.open.clear();
            domain.pass(60_000);
            history.open.addAll(domain.tick());
        }
        return domain;
    }

    private String someQueue() {
        return "lq" + random.nextInt(4);
    }

    private Map<String, String> inSomeQueue() {
        TreeMap<String, String> labels = new TreeMap<>(labels());
        labels.put("kueue.x-k8s.io/queue-name", someQueue());
        return labels;
    }

    /** A queue, cohort, flavor or name of a queue is new, another or gone. */
    private void quota() {
        switch (random.nextInt(9)) {
            case 0 -> quota.flavor("f" + random.nextInt(3), Map.of("pool", random.nextBoolean() ? "a" : "b"));
            case 1 ->
                quota.cohort("c" + random.nextInt(3), random.nextInt(3) == 0 ? "" : "c" + random.nextInt(3), gpus());
            case 2, 3 -> quota.localQueue("ml", someQueue(), "q" + random.nextInt(3));
            case 4 -> quota.gone("ml", someQueue(), Kinds.LOCAL_QUEUE);
            case 5 -> quota.gone("", "q" + random.nextInt(3), Kinds.CLUSTER_QUEUE);
            case 6 -> quota.volcano("research", "", random.nextInt(20), random.nextInt(6) - 1);
            default ->
                quota.queue(
                        "q" + random.nextInt(3),
                        random.nextInt(4) == 0 ? "" : "c" + random.nextInt(3),
                        random.nextInt(3) == 0,
                        stop(),
                        new QuotaObject.Fungibility(
                                random.nextBoolean(), random.nextInt(3) == 0, random.nextInt(3) == 0),
                        preemption(),
                        gpus());
        }
    }

    private QuotaObject.StopPolicy stop() {
        return switch (random.nextInt(12)) {
            case 0, 1 -> QuotaObject.StopPolicy.HOLD;
            case 2 -> QuotaObject.StopPolicy.HOLD_AND_DRAIN;
            default -> QuotaObject.StopPolicy.NONE;
        };
    }

    private QuotaObject.Preemption preemption() {
        String[] within = {"Never", "LowerPriority", "LowerOrNewerEqualPriority"};
        String[] reclaim = {"Never", "LowerPriority", "Any"};
        return new QuotaObject.Preemption(
                within[random.nextInt(within.length)],
                reclaim[random.nextInt(reclaim.length)],
                random.nextBoolean() ? "Never" : "LowerPriority",
                random.nextBoolean() ? null : random.nextInt(3));
    }

    private QuotaObject.FlavorQuotas[] gpus() {
        int first = random.nextInt(3);
        QuotaObject.FlavorQuotas[] quotas = new QuotaObject.FlavorQuotas[1 + random.nextInt(2)];
        for (int i = 0; i < quotas.length; i++) {
            quotas[i] = QuotaObjects.gpus(
                    "f" + (first + i) % 3,
                    random.nextInt(12),
                    random.nextInt(2) == 0 ? -1 : random.nextInt(6),
                    random.nextInt(2) == 0 ? -1 : random.nextInt(6));
        }
        return quotas;
    }

    private void batchJob() {
        String name = "b" + groups++;
        int size = 1 + random.nextInt(5);
        boolean alone = random.nextInt(4) == 0;
        GroupFacts facts = new GroupFacts(
                "",
                "",
                random.nextInt(3) == 0 ? 1 + random.nextInt(size) : size,
                List.of(),
                "",
                "",
                0,
                0,
                null,
                List.of(),
                GangShape.PLAIN,
                alone ? "" : someQueue(),
                random.nextInt(4) == 0 ? "urgent" : "",
                alone,
                alone || random.nextInt(3) == 0 ? -1 : size,
                0);
        boolean podsFirst = random.nextBoolean();
        Requirement requirement = amongPods();
        Map<String, String> labels = random.nextInt(4) == 0 ? inSomeQueue() : labels();
        if (podsFirst) {
            jobPods(name, size, requirement, labels);
        }
        domain.apply(new GroupChanged(domain.origin("ml", name), Kinds.BATCH_JOB, facts));
        if (!podsFirst) {
            jobPods(name, size, requirement, labels);
        }
    }

    private void jobPods(String job, int size, Requirement requirement, Map<String, String> labels) {
        GroupRef ref = new GroupRef(WorkloadKind.BATCH_JOB, job);
        for (int i = 0; i < size; i++) {
            domain.pod("ml", job + "-" + i, ref, "", i, 0, requirement, labels);
        }
    }

    /** Guards of all kinds, on and off. */
    private PreemptionPolicy guards() {
        return new PreemptionPolicy(
                random.nextInt(8) > 0,
                random.nextInt(4) == 0 ? PreemptionPolicy.Fence.QUEUE : PreemptionPolicy.Fence.CLUSTER,
                random.nextInt(3) * 5,
                random.nextInt(4000),
                random.nextInt(3) * 10,
                random.nextInt(4000),
                random.nextInt(2) * random.nextInt(30_000),
                random.nextInt(3),
                random.nextInt(60_000),
                random.nextInt(4),
                random.nextInt(5) == 0 ? List.of("high") : List.of(),
                random.nextInt(5) == 0 ? List.of(new PreemptionPolicy.Ceiling("*", random.nextInt(50))) : List.of(),
                1_000 + random.nextInt(120_000));
    }

    private void budget() {
        String app = "a" + random.nextInt(3);
        domain.apply(new PolicyChanged(
                domain.origin("ml", app),
                Kinds.DISRUPTION_BUDGET,
                new Policy.DisruptionBudget(
                        "1", "", List.of(new NodeExpression("app", "In", List.of(app), false)), random.nextInt(4))));
    }

    private Requirement requirement() {
        Requirement plain = room();
        if (random.nextInt(5) > 0) {
            return plain;
        }
        String ip = random.nextBoolean() ? HostPort.ANY : "10.0.0." + random.nextInt(2);
        return plain.withHostPorts(List.of(new HostPort(8080 + random.nextInt(2), "TCP", ip)));
    }

    /** Claims c0 to c2: bound to a volume of some node, for one pod, or waiting for a local volume. */
    private void storage() {
        String name = "c" + random.nextInt(3);
        NodeTerm there = new NodeTerm(List.of(new NodeExpression(
                "kubernetes.io/hostname", "In", List.of("n" + random.nextInt(6), "n" + random.nextInt(6)), false)));
        boolean bound = random.nextBoolean();
        List<String> modes = List.of(random.nextBoolean() ? "ReadWriteOnce" : "ReadWriteMany");
        String claim = bound ? "ml/" + name : "";
        for (String kind : Kinds.STORAGE) {
            domain.apply(new ResyncEnded(TestDomain.CLUSTER, kind, 1, 0));
        }
        domain.apply(new PolicyChanged(
                domain.origin("", "local"),
                Kinds.STORAGE_CLASS,
                new Storage.Class(random.nextBoolean() ? "kubernetes.io/no-provisioner" : "csi", true, List.of())));
        domain.apply(new PolicyChanged(
                domain.origin("", "v-" + name),
                Kinds.VOLUME,
                new Storage.Volume(
                        claim, !bound, "local", modes, 10, new TreeMap<>(), "csi", name, List.of(there), false)));
        domain.apply(new PolicyChanged(
                domain.origin("ml", name),
                Kinds.CLAIM,
                new Storage.Claim(
                        bound ? "v-" + name : "",
                        bound,
                        false,
                        "local",
                        random.nextBoolean(),
                        modes,
                        10,
                        List.of(),
                        bound || random.nextInt(4) > 0 ? "" : "n" + random.nextInt(6),
                        false,
                        List.of())));
        domain.apply(new PolicyChanged(
                domain.origin("", "n" + random.nextInt(6)),
                Kinds.CSI_NODE,
                new Storage.CsiNode(List.of(new Amount("csi", 1 + random.nextInt(2))))));
    }

    private Requirement room() {
        return switch (random.nextInt(9)) {
            case 0, 1 -> TestDomain.gpuShare(100 + 100 * random.nextInt(8));
            case 2 -> TestDomain.gpuShare(0).withGpus(new GpuWish(false, 10_000 + 10_000 * random.nextInt(8)));
            case 3 -> TestDomain.gpus(random.nextInt(5)).withGpus(new GpuWish(true, 0));
            default -> TestDomain.gpus(random.nextInt(5));
        };
    }

    /** The same for pods of a cluster, which may say how near other pods are. */
    private Requirement amongPods() {
        return switch (random.nextInt(12)) {
            case 11 -> requirement().withTopology(place());
            case 10 -> requirement().withClaims(List.of("ml/c" + random.nextInt(3)));
            case 8 -> Terms.rather(requirement(), 1 + random.nextInt(100), term());
            case 9 -> Terms.rather(Terms.together(requirement(), term()), -1 - random.nextInt(100), term());
            case 6 -> Terms.spread(requirement(), constraint());
            case 7 -> Terms.spread(Terms.apart(requirement(), term()), constraint(), constraint());
            case 0 -> Terms.apart(requirement(), term());
            case 1 -> Terms.together(requirement(), term());
            case 2 -> Terms.apart(Terms.together(requirement(), term(), term()), term());
            default -> requirement();
        };
    }

    private SpreadConstraint constraint() {
        String key = List.of("kubernetes.io/hostname", "pool", "rack").get(random.nextInt(3));
        SpreadConstraint skew = Terms.skew(1 + random.nextInt(2), key, "app", "a" + random.nextInt(3));
        return new SpreadConstraint(
                skew.maxSkew(),
                key,
                random.nextInt(3) > 0,
                random.nextInt(8) > 0 ? "ml" : "",
                skew.selector(),
                1 + random.nextInt(3),
                random.nextBoolean(),
                random.nextBoolean());
    }

    private PodTerm term() {
        String key = List.of("kubernetes.io/hostname", "pool", "rack").get(random.nextInt(3));
        return switch (random.nextInt(4)) {
            case 0 -> Terms.term(key);
            case 1 -> Terms.inNamespacesLabelled(key, "team", "a");
            default -> Terms.term(key, "app", "a" + random.nextInt(3));
        };
    }

    private Map<String, String> labels() {
        return random.nextInt(3) == 0 ? Map.of() : Map.of("app", "a" + random.nextInt(3));
    }

    private void namespace() {
        domain.apply(new PolicyChanged(
                domain.origin("", "ml"),
                Kinds.NAMESPACE,
                new Policy.Namespace(new TreeMap<>(Map.of("team", random.nextBoolean() ? "a" : "b")))));
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.NAMESPACE, 1, 0));
    }

    private void node(String name) {
        // Never fewer GPUs than before: only others can over-commit a node, by breaking it.
        NodeFacts facts = TestDomain.nodeFacts(
                name,
                8,
                Map.of(
                        "pool",
                        random.nextBoolean() ? "a" : "b",
                        "rack",
                        "r" + random.nextInt(3),
                        "nvidia.com/gpu.memory",
                        "80000"));
        domain.apply(new NodeChanged(
                domain.origin("", name),
                new NodeFacts(facts.labels(), List.of(), false, true, facts.allocatable(), 8, islands())));
    }

    private List<DeviceGroup> islands() {
        return switch (random.nextInt(3)) {
            case 0 -> List.of();
            case 1 -> List.of(new DeviceGroup(DeviceGroup.Link.NVLINK, List.of(0, 1, 2, 3, 4, 5, 6, 7)));
            default ->
                List.of(
                        new DeviceGroup(DeviceGroup.Link.NVLINK, List.of(0, 2, 4)),
                        new DeviceGroup(DeviceGroup.Link.NVLINK, List.of(1, 3, 5, 7)),
                        new DeviceGroup(DeviceGroup.Link.PCIE, List.of(1, 7)));
        };
    }

    private void nodeTrouble() {
        String name = "n" + random.nextInt(6);
        switch (random.nextInt(3)) {
            case 0 -> domain.apply(new NodeGone(domain.origin("", name)));
            case 1 -> {
                NodeFacts facts = TestDomain.nodeFacts(name, 8, Map.of("nvidia.com/gpu.memory", "80000"));
                domain.apply(new NodeChanged(
                        domain.origin("", name),
                        new NodeFacts(
                                facts.labels(),
                                List.of(),
                                true,
                                random.nextBoolean(),
                                facts.allocatable(),
                                8,
                                islands())));
            }
            default -> domain.apply(new HealthChanged(domain.origin("", name), signals()));
        }
    }

    /** None, or some of nodes, devices and links, by the policy's time to live and their own. */
    private List<HealthSignal> signals() {
        List<HealthSignal> signals = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            HealthSignal.Scope scope = HealthSignal.Scope.values()[random.nextInt(3)];
            signals.add(new HealthSignal(
                    scope,
                    scope == HealthSignal.Scope.NODE ? -1 : random.nextInt(9) - 1,
                    random.nextBoolean() ? "XID" : "ECC",
                    HealthSignal.Severity.values()[random.nextInt(5)],
                    "" + random.nextInt(3),
                    "taint",
                    scope == HealthSignal.Scope.LINK ? random.nextInt(9) - 1 : -1,
                    random.nextInt(3) * 10_000));
        }
        return signals;
    }

    private void operator() {
        domain.apply(new PolicyChanged(
                domain.origin("", "default"),
                Kinds.SCHEDULER_POLICY,
                new Policy.SchedulerPolicy(
                        List.of("mixed", "binpack", "spread").get(random.nextInt(3)),
                        30_000,
                        1_000,
                        300_000,
                        new Policy.Health(
                                random.nextInt(3) * 5_000,
                                2 + random.nextInt(2),
                                1 + random.nextInt(30_000),
                                new HealthEviction(
                                        random.nextInt(4) > 0,
                                        random.nextInt(5_000),
                                        random.nextInt(20_000),
                                        1 + random.nextInt(60_000),
                                        1 + random.nextInt(100))),
                        new TreeMap<>(),
                        new TreeMap<>(random.nextBoolean() ? Map.of() : Map.of("GpuIslands", 0)),
                        600_000,
                        guards(),
                        sharing())));
    }

    private FairSharing sharing() {
        FairSharing usual = FairSharing.DEFAULT;
        return new FairSharing(
                random.nextBoolean(),
                random.nextInt(3) == 0 ? List.of(usual.strategies().getLast()) : usual.strategies(),
                random.nextInt(3) * 20,
                FairSharing.VolcanoShare.values()[random.nextInt(4)],
                random.nextInt(3) * 600_000L,
                1_000 + random.nextInt(100_000),
                new TreeMap<>(random.nextBoolean() ? Map.of() : Map.of("cpu", 0, "memory", 0)),
                random.nextBoolean());
    }

    private void gang() {
        String name = "g" + groups++;
        int size = 1 + random.nextInt(6);
        int min = 1 + random.nextInt(size);
        WorkloadKind kind = List.of(
                        WorkloadKind.VOLCANO_POD_GROUP,
                        WorkloadKind.VOLCANO_POD_GROUP,
                        WorkloadKind.POD_GROUP,
                        WorkloadKind.KAI_POD_GROUP)
                .get(random.nextInt(4));
        boolean near = kind == WorkloadKind.VOLCANO_POD_GROUP && random.nextInt(4) == 0;
        GroupFacts facts = new GroupFacts(
                "",
                random.nextInt(4) == 0 ? "high" : "",
                min,
                List.of(),
                "",
                "",
                0,
                0,
                near ? new NetworkTopology(random.nextBoolean(), random.nextInt(3), "") : null,
                List.of(),
                shape(kind));
        boolean podsFirst = random.nextBoolean();
        Requirement requirement = amongPods();
        Map<String, String> labels = labels();
        GroupRef ref = new GroupRef(kind, name);
        if (podsFirst) {
            gangPods(ref, size, requirement, labels);
        }
        domain.apply(new GroupChanged(domain.origin("ml", name), kind.label(), facts));
        if (!podsFirst) {
            gangPods(ref, size, requirement, labels);
        }
    }

    private void gangPods(GroupRef group, int size, Requirement requirement, Map<String, String> labels) {
        for (int i = 0; i < size; i++) {
            String task = group.kind() == WorkloadKind.KAI_POD_GROUP ? "s" + i % 3 : "";
            domain.pod("ml", group.name() + "-" + i, group, task, i, 0, requirement, labels);
        }
    }

    /** PodGroups start with the one before them or the next now and then; KAI's have subgroups s0 and s1 in one, and s2. */
    private GangShape shape(WorkloadKind kind) {
        MatchPolicy policy = MatchPolicy.values()[random.nextInt(3)];
        int self = groups - 1;
        int pair = self - self % 2;
        return switch (kind) {
            case POD_GROUP ->
                new GangShape(
                        policy,
                        random.nextInt(3) > 0 ? List.of() : List.of("ml/g" + pair, "ml/g" + (pair + 1)),
                        PodSetTopology.NONE,
                        0,
                        List.of());
            case KAI_POD_GROUP ->
                new GangShape(
                        MatchPolicy.WAITING_AND_RUNNING,
                        List.of(),
                        place(),
                        random.nextInt(3),
                        List.of(
                                new SubGroup("pair", "", 0, random.nextInt(3), place()),
                                new SubGroup("s0", "pair", random.nextInt(3), 0, place()),
                                new SubGroup("s1", "pair", random.nextInt(3), 0, PodSetTopology.NONE),
                                new SubGroup("s2", "", random.nextInt(3), 0, place())));
            default -> GangShape.PLAIN;
        };
    }

    private PodSetTopology place() {
        return switch (random.nextInt(4)) {
            case 0 -> new PodSetTopology("pool", random.nextBoolean() ? "rack" : "", false, List.of(), "");
            case 1 -> new PodSetTopology("", "rack", false, List.of(), "");
            default -> PodSetTopology.NONE;
        };
    }

    private void topology() {
        domain.apply(new PolicyChanged(
                domain.origin("", "default"),
                random.nextBoolean() ? Kinds.TOPOLOGY : Kinds.KAI_TOPOLOGY,
                new Policy.Topology(List.of("pool", "rack"))));
        domain.apply(new PolicyChanged(
                domain.origin("", "h" + random.nextInt(2)),
                Kinds.HYPER_NODE,
                new Policy.HyperNode(
                        1,
                        "",
                        List.of(new HyperNodeMember(
                                false,
                                HyperNodeMember.Match.PATTERN,
                                random.nextBoolean() ? "n[0-2]" : "n[345]",
                                List.of())))));
        for (String kind : List.of(Kinds.TOPOLOGY, Kinds.HYPER_NODE, Kinds.KAI_TOPOLOGY)) {
            domain.apply(new ResyncEnded(TestDomain.CLUSTER, kind, 1, 0));
        }
    }

    private void groupGone() {
        domain.apply(new GroupGone(
                domain.origin("ml", "g" + random.nextInt(groups + 1)),
                List.of(Kinds.VOLCANO_POD_GROUP, Kinds.POD_GROUP, Kinds.KAI_POD_GROUP)
                        .get(random.nextInt(3))));
    }

    private void priorityClass() {
        quota.priorityClass("urgent", random.nextInt(100));
        domain.apply(new PolicyChanged(
                domain.origin("", "high"),
                Kinds.PRIORITY_CLASS,
                new Policy.PriorityClass(random.nextInt(100), false, true)));
    }

    private void submit() {
        int replicas = 1 + random.nextInt(4);
        SubmittedJob.Task task = new SubmittedJob.Task(
                "w", replicas, 1 + random.nextInt(replicas), amongPods(), "h", new TreeMap<>(labels()));
        String queue = random.nextBoolean() ? "research" : someQueue();
        SubmittedJob job = new SubmittedJob(
                "ml", "", queue, random.nextInt(3), task.minAvailable(), List.of(task), null, random.nextInt(8) == 0);
        domain.apply(new JobSubmitted("team", "cmd" + jobs, "j" + jobs++, job, 0));
    }

    /** A tenant thinks better of a job, for a while or for ever. */
    private void tenant() {
        String job = "j" + random.nextInt(jobs + 1);
        ClusterEvent event = switch (random.nextInt(4)) {
            case 0 -> new JobCancelled("team", "x", job, 0);
            case 1 -> new JobSuspended("team", "x", job, 0);
            default -> new JobResumed("team", "x", job, 0);
        };
        decided(domain.apply(event).decisions());
    }

    private void anyPod(Consumer<String> what) {
        if (!domain.pods.isEmpty()) {
            List<String> names = List.copyOf(domain.pods.keySet());
            what.accept(names.get(random.nextInt(names.size())));
        }
    }

    private void endSomePod() {
        anyPod(pod -> {
            boolean runs = domain.pods.get(pod).facts().holdsRoom(); // what has ended stays ended as it did
            if (runs) {
                domain.phase(pod, random.nextInt(4) == 0 ? "Failed" : "Succeeded");
            }
        });
    }

    /** A binder gets round to one of the open decisions: well, badly, partly, or with the news in the wrong order. */
    private void settleOne() {
        if (open.isEmpty()) {
            return;
        }
        Decision decision = open.remove(random.nextInt(open.size()));
        switch (decision.action()) {
            case Action.PlaceGang place -> {
                int fate = random.nextInt(8);
                if (fate == 0) {
                    return; // a binder that never answers: the deadline has to find it
                }
                boolean outcomeFirst = random.nextBoolean();
                boolean refused = fate == 1;
                if (outcomeFirst) {
                    report(decision, refused);
                }
                if (!refused) {
                    place.nodes().forEach(node -> bindAll(decision, place, node));
                }
                if (!outcomeFirst) {
                    report(decision, refused);
                }
            }
            case Action.Revoke revoke -> {
                // The fence on its pods: what was revoked cannot be carried out any more.
                open.removeIf(earlier -> earlier.id().equals(revoke.revoked()));
                domain.report(decision, DecisionOutcome.Status.REVOKED, MemberStatus.RELEASED, false);
            }
            case Action.Evict evict -> {
                int fate = random.nextInt(8);
                if (fate == 0) {
                    return; // a binder that never answers
                }
                boolean refused = fate == 1;
                boolean outcomeFirst = random.nextBoolean();
                if (!refused && !outcomeFirst) {
                    evictAll(evict);
                }
                domain.reportEviction(
                        decision,
                        refused ? DecisionOutcome.Status.EVICTION_REFUSED : DecisionOutcome.Status.EVICTED,
                        refused ? MemberStatus.KEPT : MemberStatus.EVICTED);
                if (!refused && outcomeFirst) {
                    evictAll(evict);
                }
            }
            case Action.DeletePods delete -> {
                // A binder that deletes a job's pods has stopped placing them.
                open.removeIf(earlier ->
                        earlier.workload().equals(decision.workload()) && earlier.action() instanceof Action.PlaceGang);
                for (MemberPlacement member : delete.members()) {
                    if (domain.pods.containsKey(member.name())) {
                        domain.gone(member.name());
                    }
                }
                domain.report(decision, DecisionOutcome.Status.DELETED, MemberStatus.GONE, false);
            }
        }
    }

    private void report(Decision decision, boolean refused) {
        List<MemberOutcome> members = new ArrayList<>();
        for (MemberPlacement member : TestDomain.members(decision)) {
            String uid = member.uid().isEmpty() ? "uid-" + member.name() : member.uid();
            boolean there = !member.uid().isEmpty() && domain.pods.containsKey(member.name());
            MemberStatus status =
                    refused || (!there && !member.uid().isEmpty()) ? MemberStatus.RELEASED : MemberStatus.BOUND;
            members.add(new MemberOutcome(
                    member.podSet(), member.index(), member.name(), refused ? member.uid() : uid, status, "", "", 1));
        }
        domain.apply(new OutcomeReported(new DecisionOutcome(
                decision.id(),
                TestDomain.CLUSTER,
                decision.workload(),
                refused ? DecisionOutcome.Status.COMPENSATED : DecisionOutcome.Status.BOUND,
                refused,
                members,
                0)));
    }

    private void bindAll(Decision decision, Action.PlaceGang place, NodePlacement node) {
        for (MemberPlacement member : node.members()) {
            if (place.create()) {
                String id = decision.workload()
                        .value()
                        .substring(decision.workload().value().lastIndexOf('/') + 1);
                if (domain.pods.containsKey(member.name())) {
                    continue;
                }
                SubmittedJob.Task task = taskOf(decision);
                domain.pod(
                        "ml",
                        member.name(),
                        new GroupRef(WorkloadKind.JOB, "team/" + id),
                        "w",
                        member.index(),
                        0,
                        task.requirement(),
                        random.nextInt(4) == 0 ? labels() : task.labels());
            }
            boolean waits = domain.pods.containsKey(member.name())
                    && domain.pods.get(member.name()).facts().node().isEmpty()
                    && domain.pods.get(member.name()).facts().phase().equals("Pending");
            if (waits) {
                domain.bound(
                        member.name(), node.node(), "Running", decision.id().toString(), member.devices());
            }
        }
    }

    private SubmittedJob.Task taskOf(Decision decision) {
        return domain.rows.values().stream()
                .filter(row ->
                        row instanceof Row.Workload workload && workload.id().equals(decision.workload()))
                .map(row -> ((Row.Workload) row).job().tasks().getFirst())
                .findFirst()
                .orElse(new SubmittedJob.Task("w", 1, 1, TestDomain.gpus(0), "h"));
    }
}
