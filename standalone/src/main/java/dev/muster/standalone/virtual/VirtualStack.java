package dev.muster.standalone.virtual;

import dev.muster.binder.BinderConfig;
import dev.muster.ingest.publish.EventPublisher;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.SimulatedClusterOptions;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.cluster.VirtualTime;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * One domain over simulated clusters on one virtual clock: what changes in a cluster goes through the production mappers
 * to a scheduler, its decisions through the production binder to the cluster's API, the outcomes back. Single-threaded as
 * seen from outside, and repeatable to the byte.
 *
 * <p>Within one moment: kubelets and controllers until idle, then ingest, then the scheduler until it wants no more ticks,
 * then the binder, and again, until nothing is due. Only then does time move on, to the next event of the clusters and
 * binders or the next deadline of the scheduler.
 */
public final class VirtualStack implements AutoCloseable {

    /** Passes of one moment after which something must be wrong. */
    private static final int MOST_PASSES = 100_000;

    /**
     * What a stack is made of.
     *
     * @param domain name of the domain
     * @param clusters options of each member cluster; their names tell them apart
     * @param startMillis when it begins, epoch milliseconds
     * @param scheduler makes the scheduler
     */
    public record Options(
            String domain,
            List<SimulatedClusterOptions> clusters,
            long startMillis,
            SchedulerHost.Factory scheduler,
            BinderConfig binder,
            Interceptor interceptor,
            Topics topics,
            SchemaRegistry registry,
            KubernetesSerialization json,
            MeterRegistry meters) {

        private static final KubernetesSerialization JSON = new KubernetesSerialization();

        /** A domain of clusters with these names, decided by the core alone, with nothing in the way. */
        public static Options of(String domain, List<String> clusters, long startMillis) {
            return new Options(
                    domain,
                    clusters.stream()
                            .map(name -> SimulatedClusterOptions.DEFAULT
                                    .withName(name)
                                    .withCreateNamespaces(true))
                            .toList(),
                    startMillis,
                    CoreHost::new,
                    BinderConfig.defaults(),
                    Interceptor.NONE,
                    Topics.DEFAULT,
                    new LocalRegistry(),
                    JSON,
                    new SimpleMeterRegistry());
        }

        /** The same with another scheduler. */
        public Options withScheduler(SchedulerHost.Factory other) {
            return new Options(
                    domain, clusters, startMillis, other, binder, interceptor, topics, registry, json, meters);
        }

        /** The same with something in the way. */
        public Options withInterceptor(Interceptor other) {
            return new Options(domain, clusters, startMillis, scheduler, binder, other, topics, registry, json, meters);
        }

        /** The same with other limits for the binders. */
        public Options withBinder(BinderConfig other) {
            return new Options(
                    domain, clusters, startMillis, scheduler, other, interceptor, topics, registry, json, meters);
        }

        /** The same with other clusters. */
        public Options withClusters(List<SimulatedClusterOptions> others) {
            return new Options(
                    domain, others, startMillis, scheduler, binder, interceptor, topics, registry, json, meters);
        }
    }

    /** Told after each event that can be seen from outside; the binding of one gang is one event. */
    @FunctionalInterface
    public interface Observer {
        /** Something may have changed. */
        void happened();
    }

    private record Publication(String topic, String key, byte[] value) {}

    private final Options options;
    private final VirtualTime time;
    private final Fibers fibers;
    private final Map<String, VirtualMember> members = new TreeMap<>();
    private final SchedulerHost scheduler;
    private final Deserializer<Decision> decisionReader;
    private final Deserializer<WorkloadStatus> statusReader;
    private final Serializer<Outcome> outcomeWriter;
    private final Serializer<Submission> submissionWriter;
    private final List<byte[]> journal = new ArrayList<>();
    private final List<byte[]> decisionBytes = new ArrayList<>();
    private final List<byte[]> deadLetters = new ArrayList<>();
    private final List<Decision> decisions = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Map<String, WorkloadStatus> statuses = new TreeMap<>();
    private final Queue<Publication> toScheduler = new ArrayDeque<>();
    private final Queue<Publication> toBinders = new ArrayDeque<>();
    private Observer observer = () -> {};
    private long resumedBefore;

    /** A stack whose clusters are listed already, and whose scheduler has seen that they are empty. */
    public VirtualStack(Options options) {
        this.options = options;
        this.time = new VirtualTime(options.startMillis());
        this.fibers = new Fibers(time);
        this.decisionReader = serde(Decision.class).deserializer();
        this.statusReader = serde(WorkloadStatus.class).deserializer();
        this.outcomeWriter = serde(Outcome.class).serializer();
        this.submissionWriter = serde(Submission.class).serializer();
        this.scheduler = options.scheduler()
                .open(new SchedulerHost.Setup(
                        options.domain(), options.topics(), options.registry(), time, this::published));
        EventPublisher.Sender sender = new EventPublisher.Sender() {
            @Override
            public void send(String topic, String key, byte[] value) {
                ingested(topic, key, value);
            }

            @Override
            public void flush() {
                // Safe as soon as it is taken.
            }
        };
        for (SimulatedClusterOptions each : options.clusters()) {
            VirtualCluster cluster = new VirtualCluster(each, time);
            members.put(each.name(), new VirtualMember(options, cluster, fibers, sender, outcome -> answered(outcome)));
        }
        members.values().forEach(VirtualMember::start);
        time.afterEach(this::afterEvent);
        settle();
    }

    private <T extends SpecificRecord> AvroSerde<T> serde(Class<T> type) {
        return new AvroSerde<>(options.registry(), type);
    }

    // ---- what passes

    private void ingested(String topic, String key, byte[] value) {
        if (topic.equals(options.topics().deadLetters())) {
            deadLetters.add(value);
        } else {
            toScheduler.add(new Publication(topic, key, value));
        }
    }

    private void answered(Outcome outcome) {
        outcomes.add(outcome);
        String topic = options.topics().outcomes();
        toScheduler.add(new Publication(topic, options.domain(), outcomeWriter.serialize(topic, outcome)));
    }

    private void published(String topic, String key, byte[] value) {
        Topics topics = options.topics();
        if (topic.equals(topics.journal())) {
            journal.add(value);
        } else if (topic.equals(topics.deadLetters())) {
            deadLetters.add(value);
        } else {
            toBinders.add(new Publication(topic, key, value));
        }
    }

    private void dispatch(Publication publication) {
        if (publication.topic().equals(options.topics().decisions())) {
            Decision decision = decisionReader.deserialize(publication.topic(), publication.value());
            decisionBytes.add(publication.value());
            decisions.add(decision);
            for (VirtualMember member : members.values()) {
                if (member.carryOut(decision)) {
                    return;
                }
            }
        } else {
            WorkloadStatus status = publication.value() == null
                    ? null
                    : statusReader.deserialize(publication.topic(), publication.value());
            if (status == null) {
                statuses.remove(publication.key());
            } else {
                statuses.put(publication.key(), status);
            }
            members.values().forEach(member -> member.status(publication.key(), status));
        }
    }

    // ---- time

    /** Does everything that is due at this moment, and what that brings about. */
    public void settle() {
        int passes = 0;
        do {
            if (++passes > MOST_PASSES) {
                throw new IllegalStateException("this moment does not end: " + time.instant());
            }
            act();
            members.values().forEach(VirtualMember::deliver);
            drain(toScheduler, each -> options.interceptor().record(each.topic(), each.key(), each.value(), scheduler));
            scheduler.settle();
            boolean news = !toBinders.isEmpty();
            drain(toBinders, this::dispatch);
            if (news) {
                act();
                observer.happened();
            }
        } while (isBusy());
    }

    private static void drain(Queue<Publication> queue, Consumer<Publication> each) {
        for (Publication next = queue.poll(); next != null; next = queue.poll()) {
            each.accept(next);
        }
    }

    /** Lets clusters and binders do what is due. What binders do in one go is one event. */
    private void act() {
        resumedBefore = fibers.resumed();
        fibers.runReady();
        time.runDue();
        if (fibers.resumed() != resumedBefore) {
            observer.happened();
        }
    }

    private void afterEvent() {
        if (fibers.resumed() == resumedBefore) {
            observer.happened();
        }
    }

    private boolean isBusy() {
        return time.nextMillis() <= time.nowMillis()
                || fibers.hasReady()
                || !toScheduler.isEmpty()
                || !toBinders.isEmpty()
                || members.values().stream().anyMatch(VirtualMember::hasNews);
    }

    /** When something is due next, epoch milliseconds; {@link Long#MAX_VALUE} when nothing is. */
    public long nextMillis() {
        return Math.min(time.nextMillis(), scheduler.nextDeadlineMillis());
    }

    /** Lets time pass up to {@code millis}, and everything happen that is due by then. */
    public void runUntil(long millis) {
        settle();
        for (long next = nextMillis(); next <= millis; next = nextMillis()) {
            time.advanceTo(next);
            settle();
        }
        time.advanceTo(millis);
    }

    // ---- what a scenario does

    /** Stops the scheduler and starts it again on what it had committed. */
    public void restartScheduler() {
        scheduler.restart();
    }

    /** Kills a cluster's binder wherever it is, and starts another one. */
    public void restartBinder(String cluster) {
        member(cluster).restartBinder();
    }

    /** Kills a cluster's binder wherever it is; in one of its own fibers this does not return. */
    public void killBinder(String cluster) {
        member(cluster).killBinder();
    }

    /** Whether a cluster has a binder that lives. */
    public boolean binderAlive(String cluster) {
        return member(cluster).binderAlive();
    }

    /** Lets another ingest take a cluster over: everything is listed anew under the next epoch. */
    public void takeOver(String cluster) {
        member(cluster).takeOver();
    }

    /** Lets a cluster's ingest list a kind again, as after a watch that was lost. */
    public void listAgain(String cluster, ResourceKind kind) {
        member(cluster).listAgain(kind);
    }

    /** Hands an accepted command of a tenant to the scheduler. */
    public void submit(Submission submission) {
        String topic = options.topics().submissions();
        toScheduler.add(new Publication(topic, options.domain(), submissionWriter.serialize(topic, submission)));
    }

    /** Tells all binders a pod template. */
    public void template(PodTemplate template) {
        String key = Keys.template(options.domain(), template.getHash());
        members.values().forEach(member -> member.template(key, template));
    }

    /** Is told what happens from now on; one observer at a time. */
    public void observe(Observer to) {
        observer = to;
    }

    // ---- what can be seen

    public Options options() {
        return options;
    }

    public VirtualTime time() {
        return time;
    }

    public Fibers fibers() {
        return fibers;
    }

    /** The member cluster of that name. */
    public VirtualCluster cluster(String name) {
        return member(name).cluster();
    }

    /** The clock of a cluster's binder. */
    public FiberClock binderClock(String cluster) {
        return member(cluster).clock();
    }

    /** Names of the member clusters, sorted. */
    public List<String> clusters() {
        return List.copyOf(members.keySet());
    }

    /** Records of topic journal, in order. */
    public List<byte[]> journal() {
        return Collections.unmodifiableList(journal);
    }

    /** Records of topic decisions, in order. */
    public List<byte[]> decisionBytes() {
        return Collections.unmodifiableList(decisionBytes);
    }

    /** Decisions in the order in which they were made. */
    public List<Decision> decisions() {
        return Collections.unmodifiableList(decisions);
    }

    /** Outcomes in the order in which binders gave them. */
    public List<Outcome> outcomes() {
        return Collections.unmodifiableList(outcomes);
    }

    /** Records of topic dead-letters, in order. */
    public List<byte[]> deadLetters() {
        return Collections.unmodifiableList(deadLetters);
    }

    /** The latest status of each workload that is known, by the key of its records. */
    public Map<String, WorkloadStatus> statuses() {
        return Collections.unmodifiableMap(statuses);
    }

    /** Decisions that have no outcome yet, by cluster and then as they were made. */
    public List<Decision> unanswered() {
        return members.values().stream()
                .flatMap(member -> member.unanswered().stream())
                .toList();
    }

    /** The scheduler. */
    public SchedulerHost scheduler() {
        return scheduler;
    }

    /** Decides the journal again with a fresh engine and compares with what was decided; empty where all is equal. */
    public Optional<String> replayDifference() {
        return new JournalReplay(options.domain(), options.topics(), options.registry())
                .difference(journal, decisionBytes);
    }

    private VirtualMember member(String cluster) {
        VirtualMember member = members.get(cluster);
        if (member == null) {
            throw new IllegalArgumentException("there is no cluster " + cluster + ", but " + members.keySet());
        }
        return member;
    }

    @Override
    public void close() {
        fibers.close();
        scheduler.close();
        time.close();
    }
}
