package dev.muster.binder;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.status.KueueConditions;
import dev.muster.schemas.status.VolcanoStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells pods and Volcano PodGroups where they are: condition PodScheduled=False and one Event per change of reason on
 * pods that wait, phase and conditions on PodGroups (Volcano's controller makes a job's pods only when its group has left
 * Pending). News for people: written with calls of its own limit so that it never delays a binding, and dropped when
 * something newer is to be said.
 */
final class StatusWriter {

    /** What was told about a workload, so that nothing is told twice. */
    private static final class Told {
        /** Null before the first. */
        private PodGroupStatus group;

        private String reason = "";
        private final Set<String> podUids = new HashSet<>();
    }

    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);
    private static final String VOLCANO_POD_GROUP = "VolcanoPodGroup";
    private static final int LONGEST_NAME = 230;
    private static final int LONGEST_MESSAGE = 1024;
    private static final long TRY_FOR_MILLIS = 10_000;

    private final ClusterApi api;
    private final ClusterView view;
    private final Patience.Spacing spacing;
    private final StatusQueue queue;
    private final Halt halt = new Halt();
    private final String cluster;
    private final Map<String, Told> told = new ConcurrentHashMap<>();

    StatusWriter(ClusterApi api, ClusterView view, String cluster, Patience.Spacing spacing, int backlog) {
        this.api = api;
        this.view = view;
        this.cluster = cluster;
        this.spacing = spacing;
        this.queue = new StatusQueue(backlog);
    }

    /** Takes a record of the topic in; waits while too many wait to be written. */
    void take(String key, WorkloadStatus status) throws InterruptedException {
        if (status == null) {
            String workload = key.substring(key.indexOf('/') + 1);
            queue.drop(workload);
            told.remove(workload);
        } else if (status.getCluster().equals(cluster)) {
            queue.put(status.getWorkload(), status);
        }
    }

    int backlog() {
        return queue.size();
    }

    /** Writes statuses until closed. */
    void run() {
        try {
            while (true) {
                writeNext();
            }
        } catch (AbandonedException e) {
            LOG.debug("no more statuses: the binder closes");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes one status, waiting for it if there is none. */
    void writeNext() throws InterruptedException {
        writeTaken(queue.take());
    }

    /** Writes statuses until none is left that nobody else is writing. */
    void writeWaiting() {
        for (Optional<WorkloadStatus> next = queue.poll(); next.isPresent(); next = queue.poll()) {
            writeTaken(next.get());
        }
    }

    private void writeTaken(WorkloadStatus status) {
        try {
            write(status);
        } catch (ApiException e) {
            LOG.warn("status of {} not written: {}", status.getWorkload(), e.getMessage());
        } finally {
            queue.release(status.getWorkload());
        }
    }

    void close() {
        halt.close();
        queue.close();
    }

    private void write(WorkloadStatus status) {
        Told known = told.computeIfAbsent(status.getWorkload(), w -> new Told());
        if (status.getKind().equals(VOLCANO_POD_GROUP)) {
            writeGroup(status, known);
        }
        if (isWaiting(status.getState()) && !status.getReason().getCode().isEmpty()) {
            writeReasons(status, known);
        }
        if (isOver(status.getState())) {
            told.remove(status.getWorkload());
        }
    }

    /** Phase and conditions, when what they say has changed. That a gang was placed is told when it runs. */
    private void writeGroup(WorkloadStatus status, Told known) {
        Optional<String> phase = VolcanoStatus.phase(status);
        if (phase.isEmpty() || known.group != null && status.getState() == WorkloadState.PLACED) {
            return;
        }
        PodGroupStatus now = new PodGroupStatus(phase.get(), conditions(status));
        if (known.group != null && now.saysTheSame(known.group)) {
            return;
        }
        boolean written = attempt(status, () -> {
            Optional<PodGroupStatus> present = api.podGroupStatus(status.getNamespace(), status.getObject());
            if (present.isPresent() && !now.saysTheSame(present.get())) {
                api.setPodGroupStatus(status.getNamespace(), status.getObject(), now);
            }
        });
        if (written) {
            known.group = now;
        }
    }

    private static List<PodGroupStatus.Condition> conditions(WorkloadStatus status) {
        String time = time(status.getSinceMillis());
        return Stream.concat(VolcanoStatus.conditions(status).stream(), KueueConditions.of(status).stream())
                .map(condition -> new PodGroupStatus.Condition(
                        condition.type(),
                        condition.status() ? "True" : "False",
                        status.getReason().getCode() + "@" + condition.sinceMillis(),
                        condition.sinceMillis() == 0 ? time : time(condition.sinceMillis()),
                        condition.reason(),
                        shortened(condition.message())))
                .toList();
    }

    private void writeReasons(WorkloadStatus status, Told known) {
        // "Since when, for this reason" changes exactly when the reason does: it names the change.
        String reason = status.getReason().getCode() + "@" + status.getSinceMillis();
        if (!known.reason.equals(reason)) {
            known.reason = reason;
            known.podUids.clear();
        }
        for (String name : status.getWaitingPods()) {
            if (queue.isSuperseded(status.getWorkload())) {
                return;
            }
            PodKey key = new PodKey(status.getNamespace(), name);
            attempt(
                    status,
                    () -> view.pod(key)
                            .or(() -> api.pod(key))
                            .filter(pod -> !pod.bound() && !pod.deleting())
                            .ifPresent(pod -> tell(status, pod, known)));
        }
    }

    private void tell(WorkloadStatus status, PodState pod, Told known) {
        String message = shortened(status.getReason().getMessage());
        String time = time(status.getSinceMillis());
        if (pod.waitingMessageHash() != PodState.waitingHash(message)) {
            api.markUnschedulable(pod.key(), pod.uid(), message, time);
        }
        if (!known.podUids.contains(pod.uid())) {
            try {
                api.createEvent(event(status, pod, message, time));
            } catch (ApiException e) {
                // It exists: told before the binder was started again.
                if (ErrorTable.verdict(e) != ErrorTable.Verdict.REREAD) {
                    throw e;
                }
            }
            known.podUids.add(pod.uid());
        }
    }

    /** Tries for a while, as long as there is nothing newer to say. */
    private boolean attempt(WorkloadStatus status, Runnable calls) {
        Patience patience = Patience.within(Budget.of(spacing.clock(), TRY_FOR_MILLIS), spacing, halt);
        while (true) {
            try {
                calls.run();
                return true;
            } catch (ApiException e) {
                switch (ErrorTable.verdict(e)) {
                    case RETRY -> {
                        if (queue.isSuperseded(status.getWorkload()) || !patience.again(e.retryAfterMillis())) {
                            LOG.debug("status of {} dropped: {}", status.getWorkload(), e.getMessage());
                            return false;
                        }
                    }
                    // The object is gone or another one: nobody to tell.
                    case GONE, REREAD -> {
                        return false;
                    }
                    case REFUSED, FATAL -> throw e;
                }
            }
        }
    }

    private static Event event(WorkloadStatus status, PodState pod, String message, String time) {
        String identity = pod.uid() + "/" + status.getReason().getCode() + "/" + status.getSinceMillis();
        String hash =
                UUID.nameUUIDFromBytes(identity.getBytes(UTF_8)).toString().substring(0, 13);
        String name = pod.key().name();
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(pod.key().namespace())
                .withName((name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name) + "." + hash)
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion("v1")
                .withKind("Pod")
                .withNamespace(pod.key().namespace())
                .withName(name)
                .withUid(pod.uid())
                .endInvolvedObject()
                .withType("Warning")
                .withReason("FailedScheduling")
                .withMessage(message)
                .withFirstTimestamp(time)
                .withLastTimestamp(time)
                .withCount(1)
                .withNewSource()
                .withComponent(Marks.SCHEDULER_NAME)
                .endSource()
                .withReportingComponent(Marks.SCHEDULER_NAME)
                .build();
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String shortened(String message) {
        String text = Objects.toString(message, "");
        return text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) : text;
    }

    private static boolean isWaiting(WorkloadState state) {
        return state == WorkloadState.INCOMPLETE || state == WorkloadState.WAITING;
    }

    private static boolean isOver(WorkloadState state) {
        return switch (state) {
            case COMPLETED, FAILED, CANCELLED -> true;
            case INCOMPLETE, WAITING, PLACED, RUNNING, SUSPENDED -> false;
        };
    }
}
