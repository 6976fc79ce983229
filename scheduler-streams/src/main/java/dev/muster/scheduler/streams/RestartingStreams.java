package dev.muster.scheduler.streams;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka Streams, started anew within the process when one of its threads died of something that may pass. Streams could
 * replace the thread alone, but the new thread has another number, and so is another member of the group and another
 * producer: its domains would wait until the dead one's session and transaction time out. A new client is the member and
 * the producer that the old one was: the group has its tasks for it at once, and it ends the open transaction itself.
 */
final class RestartingStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RestartingStreams.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final String instanceId;
    private final Supplier<KafkaStreams> maker;
    private final RestartBudget budget;
    private final CountDownLatch settled = new CountDownLatch(1);
    private final ExecutorService restarts = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("scheduler-restart").factory());
    private volatile KafkaStreams streams;
    private volatile Throwable lastProblem;
    private volatile String failure;
    private boolean closed;

    /** @param maker makes a client that was not started yet, the same each time */
    RestartingStreams(String instanceId, Supplier<KafkaStreams> maker, RestartBudget budget) {
        this.instanceId = instanceId;
        this.maker = maker;
        this.budget = budget;
        this.streams = made();
    }

    void start() {
        streams.start();
    }

    State state() {
        return streams.state();
    }

    /** Waits until it runs or has ended for good; whether it runs. */
    boolean awaitRunning(Duration timeout) throws InterruptedException {
        return settled.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && failure == null;
    }

    /** Why it ended for good; empty while it runs or starts anew. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Stops within a few seconds and stays a member of its group. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        restarts.shutdown();
        if (!end(streams)) {
            LOG.warn("scheduler {}: not closed within {} s", instanceId, CLOSE_TIMEOUT.toSeconds());
        }
    }

    private KafkaStreams made() {
        KafkaStreams made = maker.get();
        made.setUncaughtExceptionHandler(this::threadDied);
        made.setStateListener((now, before) -> {
            if (now == State.RUNNING) {
                settled.countDown();
            } else if (now == State.ERROR) {
                ended();
            }
        });
        return made;
    }

    private static boolean end(KafkaStreams streams) {
        return streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));
    }

    private StreamThreadExceptionResponse threadDied(Throwable problem) {
        if (FaultTable.tookOver(problem)) {
            LOG.error("scheduler {}: stops, another instance took over", instanceId);
            failure = "another process under the same instance id took over";
        } else if (FaultTable.ofThread(problem) == FaultTable.Fault.FATAL) {
            fail(problem);
        } else {
            LOG.warn("scheduler {}: gives up its transaction and starts again: {}", instanceId, problem.toString());
            lastProblem = problem;
        }
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    /** All threads have ended. Called by one that belongs to the client, which therefore cannot be the one to replace it. */
    private synchronized void ended() {
        if (failure == null && !budget.take()) {
            fail(lastProblem);
        }
        if (failure != null) {
            settled.countDown();
        } else if (!closed) {
            restarts.execute(this::startAnew);
        }
    }

    private void startAnew() {
        end(streams);
        synchronized (this) {
            if (closed) {
                return;
            }
            try {
                streams = made();
                streams.start();
            } catch (RuntimeException e) {
                fail(e);
                settled.countDown();
            }
        }
    }

    private void fail(Throwable problem) {
        LOG.error("scheduler {}: stops: {}", instanceId, problem, problem);
        failure = "it stops: " + problem;
    }
}
