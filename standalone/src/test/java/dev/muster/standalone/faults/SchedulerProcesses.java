package dev.muster.standalone.faults;

import dev.muster.scheduler.streams.JournalReplica;
import dev.muster.scheduler.streams.SimulatedTask;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.Timeline;
import dev.muster.standalone.cluster.VirtualTime;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * The schedulers of the domain, as many as there happen to be: each reads on from committed offsets, in an interleaving of
 * the topics of its own, and what it does becomes visible with its commits or not at all.
 */
final class SchedulerProcesses {
    private static final String ID = SimulatedTask.APPLICATION;
    private static final int MOST_RECORDS = 60;
    private static final long COMMIT_AFTER_MILLIS = 100;
    private static final long MOST_AHEAD_MILLIS = 120_000;
    private static final long TRANSACTION_TIMEOUT_MILLIS = 3_000;

    private final VirtualTime time;
    private final MemoryKafka kafka;
    private final FaultPlan faults;
    private final SplittableRandom random;
    private final JournalReplica replica;
    private final SimulatedTask.Setting setting;
    private final List<String> inputs;
    private final Map<String, Long> lagsUntil = new TreeMap<>();
    private long skewMillis;
    private Process current;
    private int starts;

    SchedulerProcesses(
            VirtualTime time,
            MemoryKafka kafka,
            FaultPlan faults,
            SplittableRandom random,
            SchemaRegistry registry,
            MeterRegistry meters,
            Topics topics,
            String domain) {
        this.time = time;
        this.kafka = kafka;
        this.faults = faults;
        this.random = random;
        this.replica =
                new JournalReplica(registry, topics, domain, faults.kinds().contains(Fault.NODE_REPLACED));
        this.inputs = SimulatedTask.inputs(topics);
        this.setting = new SimulatedTask.Setting(
                topics,
                domain,
                registry,
                meters,
                () -> java.time.Instant.ofEpochMilli(clockMillis()),
                () -> time.nowMillis() * 1_000_000);
        kafka.subscribe(record -> {
            if (inputs.contains(record.topic()) && current != null) {
                current.wakeSoon();
            }
        });
    }

    /** The engine that follows the journal as it is committed. */
    JournalReplica replica() {
        return replica;
    }

    int starts() {
        return starts;
    }

    /** The wall clock of the scheduler's machine. */
    private long clockMillis() {
        return time.nowMillis() + skewMillis;
    }

    void start() {
        current = new Process();
        current.wakeSoon();
    }

    private void startLater(long millis) {
        Process dead = current;
        time.after(Duration.ofMillis(millis), () -> {
            if (current == dead) {
                start();
            }
        });
    }

    /** Everything is committed, and nothing waits for it. */
    boolean idle() {
        return current != null && current.alive && !current.pending() && !replica.wantsTick(current.task.millis());
    }

    /** After the faults: what lags is seen, and the clock is right. Domain time may be ahead of it, and stays so for a while. */
    void heal() {
        skewMillis = 0;
        lagsUntil.clear();
        if (current == null || !current.alive) {
            start();
        }
        current.pausedUntil = 0;
        current.stalledUntil = 0;
        current.wakeSoon();
    }

    private final class Process {
        private final SimulatedTask task;
        private final int epoch;
        private final Map<String, Long> positions = new TreeMap<>();
        private SimulatedTask.Work work = new SimulatedTask.Work(List.of(), List.of());
        private boolean alive = true;
        private long pausedUntil;
        private long stalledUntil;
        private boolean busy;
        private long openSince = -1;
        private Timeline.Scheduled wake;
        private long wakeAt = Long.MAX_VALUE;

        Process() {
            starts++;
            epoch = kafka.initTransactions(ID);
            for (String topic : inputs) {
                positions.put(topic, Math.max(0, kafka.committed(ID, topic)));
            }
            replica.compareRows(kafka.stores());
            replica.compareRestored(clockMillis());
            task = new SimulatedTask(setting, kafka.stores());
        }

        void wakeSoon() {
            wakeAt(time.nowMillis() + 1 + random.nextInt(5));
        }

        private void wakeAt(long millis) {
            if (alive && millis < wakeAt) {
                if (wake != null) {
                    wake.cancel();
                }
                wakeAt = millis;
                wake = time.at(millis, this::turn);
            }
        }

        boolean pending() {
            return openSince >= 0 || inputs.stream().anyMatch(topic -> kafka.hasAfter(topic, positions.get(topic)));
        }

        /** Once round: records, punctuation, and a commit where it is due. */
        private void turn() {
            wakeAt = Long.MAX_VALUE;
            if (!alive || busy) {
                return;
            }
            if (time.nowMillis() < pausedUntil) {
                wakeAt(pausedUntil);
                return;
            }
            jumpClock();
            int taken = takeRecords();
            if (faults.strikes(Fault.SCHEDULER_KILLED_BEFORE_COMMIT)) {
                die(100 + random.nextInt(5_000));
                return;
            }
            if (current == this && faults.strikes(Fault.SCHEDULER_ZOMBIE)) {
                hang();
                return;
            }
            if (faults.strikes(Fault.TICKS_STALLED)) {
                stalledUntil = time.nowMillis() + faults.amount(Fault.TICKS_STALLED, 100, 20_000);
            }
            boolean wanted = false;
            if (time.nowMillis() >= stalledUntil) {
                // The second look finds that the input paused.
                task.punctuate();
                if (taken == 0 || !moreToRead()) {
                    task.punctuate();
                }
                wanted = task.wantsCommit();
            }
            requireRunning();
            boolean due = openSince >= 0 && time.nowMillis() - openSince >= COMMIT_AFTER_MILLIS;
            if (hasWork() && openSince < 0) {
                openSince = time.nowMillis();
            }
            if (openSince >= 0 && (wanted || due || random.nextInt(4) == 0)) {
                commitSlowly();
            } else {
                planNext();
            }
        }

        /** Collects what the task wrote since; whether there is anything to commit. */
        private boolean hasWork() {
            SimulatedTask.Work more = task.take();
            List<SimulatedTask.Written> written = new ArrayList<>(work.written());
            written.addAll(more.written());
            List<SimulatedTask.Changed> changed = new ArrayList<>(work.changed());
            changed.addAll(more.changed());
            work = new SimulatedTask.Work(written, changed);
            boolean read = positions.entrySet().stream()
                    .anyMatch(entry -> entry.getValue() != Math.max(0, kafka.committed(ID, entry.getKey())));
            return read || !written.isEmpty();
        }

        private void requireRunning() {
            if (task.halted().isPresent()) {
                throw new Oracle.ViolationException(task.halted().get());
            }
        }

        private void jumpClock() {
            if (faults.strikes(Fault.CLOCK_JUMPS_AHEAD)) {
                skewMillis += faults.amount(Fault.CLOCK_JUMPS_AHEAD, 1_000, 60_000);
                // Domain time never runs back: after a start by such a clock it is ahead for long.
                skewMillis = Math.min(skewMillis, MOST_AHEAD_MILLIS);
            }
            if (faults.strikes(Fault.CLOCK_JUMPS_BACK)) {
                skewMillis -= faults.amount(Fault.CLOCK_JUMPS_BACK, 100, 60_000);
            }
        }

        /** Some records of some topics, each topic in its order. */
        private int takeRecords() {
            int most = 1 + random.nextInt(MOST_RECORDS);
            int taken = 0;
            while (taken < most) {
                List<String> ready = ready();
                if (ready.isEmpty()) {
                    break;
                }
                String topic = ready.get(random.nextInt(ready.size()));
                int run = Math.min(most - taken, 1 + random.nextInt(12));
                for (MemoryKafka.Entry entry : List.copyOf(kafka.read(topic, positions.get(topic), run))) {
                    task.process(topic, entry.offset(), entry.value(), entry.timeMillis());
                    positions.put(topic, entry.offset() + 1);
                    taken++;
                }
                if (faults.strikes(Fault.TOPIC_LAGS)) {
                    lagsUntil.put(topic, time.nowMillis() + faults.amount(Fault.TOPIC_LAGS, 50, 15_000));
                }
            }
            return taken;
        }

        private List<String> ready() {
            List<String> ready = new ArrayList<>();
            for (String topic : inputs) {
                boolean lags = lagsUntil.getOrDefault(topic, 0L) > time.nowMillis();
                if (!lags && kafka.hasAfter(topic, positions.get(topic))) {
                    ready.add(topic);
                }
            }
            return ready;
        }

        private boolean moreToRead() {
            return !ready().isEmpty();
        }

        private void commitSlowly() {
            if (faults.strikes(Fault.COMMIT_DELAYED)) {
                busy = true;
                time.after(Duration.ofMillis(faults.amount(Fault.COMMIT_DELAYED, 20, 5_000)), () -> {
                    busy = false;
                    if (alive) {
                        commit();
                    }
                });
            } else {
                commit();
            }
        }

        private void commit() {
            SimulatedTask.Work now = work;
            work = new SimulatedTask.Work(List.of(), List.of());
            openSince = -1;
            try {
                kafka.commit(ID, epoch, ID, transaction(now));
            } catch (ProducerFencedException e) {
                // Another took over: nothing of this one's is there, and it has no part in anything any more.
                stop();
                if (current == this) {
                    startLater(100 + random.nextInt(1_000));
                }
                return;
            }
            replicate(now);
            if (faults.strikes(Fault.SCHEDULER_KILLED_AFTER_COMMIT)) {
                die(100 + random.nextInt(5_000));
            } else if (faults.strikes(Fault.SCHEDULER_RESTARTED)) {
                task.close();
                die(50 + random.nextInt(500));
            } else {
                planNext();
            }
        }

        private MemoryKafka.Transaction transaction(SimulatedTask.Work now) {
            List<MemoryKafka.Entry> records = new ArrayList<>();
            now.written()
                    .forEach(each -> records.add(
                            new MemoryKafka.Entry(each.topic(), -1, each.key(), each.value(), each.timeMillis())));
            List<MemoryKafka.RowChange> rows = new ArrayList<>();
            now.changed().forEach(each -> rows.add(new MemoryKafka.RowChange(each.store(), each.key(), each.row())));
            return new MemoryKafka.Transaction(records, rows, new TreeMap<>(positions));
        }

        private void replicate(SimulatedTask.Work now) {
            now.written().forEach(each -> replica.take(each.topic(), each.key(), each.value()));
            replica.transactionEnded();
        }

        private void planNext() {
            long now = time.nowMillis();
            if (openSince >= 0 || moreToRead() || replica.wantsTick(task.millis())) {
                wakeAt(Math.max(now + 1 + random.nextInt(5), Math.min(stalledUntil, now + 50)));
            }
            long lagEnds = lagsUntil.values().stream()
                    .filter(until -> until > now)
                    .min(Long::compare)
                    .orElse(Long.MAX_VALUE);
            if (lagEnds < Long.MAX_VALUE) {
                wakeAt(lagEnds);
            }
            long deadline = replica.nextDeadlineMillis();
            if (deadline < Long.MAX_VALUE) {
                wakeAt(Math.max(now + 1, now + deadline - task.millis()));
            }
        }

        /** It hangs with its transaction open; the brokers give that up after a while, and perhaps another takes over. */
        private void hang() {
            pausedUntil = time.nowMillis() + faults.amount(Fault.SCHEDULER_ZOMBIE, 200, 20_000);
            if (random.nextBoolean()) {
                startLater(100 + random.nextInt(12_000));
            }
            time.after(Duration.ofMillis(TRANSACTION_TIMEOUT_MILLIS), () -> {
                if (alive && current == this && time.nowMillis() < pausedUntil && openSince >= 0) {
                    kafka.initTransactions(ID);
                }
            });
            wakeAt(pausedUntil);
        }

        private void die(long restartMillis) {
            stop();
            if (current == this) {
                startLater(restartMillis);
            }
        }

        private void stop() {
            alive = false;
            if (wake != null) {
                wake.cancel();
            }
        }
    }
}
