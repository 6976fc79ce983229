package dev.muster.standalone.faults;

import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.standalone.faults.Truth.NodeTruth;
import dev.muster.standalone.faults.Truth.PodTruth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whether the system has come to rest: everybody agrees, nothing is held for nobody, and nobody waits who need not. */
final class Rest {
    private final Oracle oracle;
    private final SchedulerProcesses scheduler;
    private final List<BinderProcesses> binders;
    private final Workload workload;
    private final Poison poison;
    private final MemoryKafka kafka;

    Rest(
            Oracle oracle,
            SchedulerProcesses scheduler,
            List<BinderProcesses> binders,
            Workload workload,
            Poison poison,
            MemoryKafka kafka) {
        this.oracle = oracle;
        this.scheduler = scheduler;
        this.binders = binders;
        this.workload = workload;
        this.poison = poison;
        this.kafka = kafka;
    }

    /** What is not as it should be at rest. */
    List<String> open() {
        List<String> open = new ArrayList<>();
        if (!scheduler.idle()) {
            open.add("the scheduler has something to do");
        }
        for (BinderProcesses binder : binders) {
            if (!binder.idle()) {
                open.add("a binder has something to do");
            }
        }
        open.addAll(oracle.unsettled());
        scheduler.replica().rows(Row.Table.HOLDS).values().forEach(hold -> open.add("held for nobody: " + hold));
        compareNodes(open);
        comparePods(open);
        waitingGangs(open);
        waitingJobs(open);
        return open;
    }

    /** What is worth a look only once everything else is at rest. */
    void finallyCheck() {
        scheduler.replica().compareRows(kafka.stores());
        Oracle.expect(
                oracle.deadLetters() == poison.written(),
                poison.written() + " records could not be read, and there are " + oracle.deadLetters()
                        + " dead letters");
    }

    private void compareNodes(List<String> open) {
        Map<String, String> theirs = new TreeMap<>();
        for (Row row : scheduler.replica().rows(Row.Table.NODES).values()) {
            if (row instanceof Row.Node node && node.origin() != null) {
                theirs.put(
                        node.id().cluster() + "/" + node.id().name(),
                        node.origin().uid());
            }
        }
        Map<String, String> real = new TreeMap<>();
        for (NodeTruth node : oracle.truth.presentNodes()) {
            real.put(node.cluster + "/" + node.name, node.uid);
        }
        if (!theirs.equals(real)) {
            open.add("the scheduler knows nodes " + theirs + ", there are " + real);
        }
    }

    private void comparePods(List<String> open) {
        Map<String, String> theirs = new TreeMap<>();
        for (Row row : scheduler.replica().rows(Row.Table.PODS).values()) {
            if (row instanceof Row.Pod pod) {
                theirs.put(
                        pod.origin().cluster() + "/" + pod.origin().uid(),
                        pod.facts().phase() + " on " + pod.facts().node());
            }
        }
        Map<String, String> real = new TreeMap<>();
        for (PodTruth pod : oracle.truth.present()) {
            if (pod.ours) {
                real.put(pod.cluster + "/" + pod.uid, pod.phase + " on " + pod.node);
            }
        }
        if (!theirs.equals(real)) {
            Map<String, String> missing = new TreeMap<>(real);
            missing.entrySet().removeAll(theirs.entrySet());
            theirs.entrySet().removeAll(real.entrySet());
            open.add("the scheduler knows pods " + theirs + " where there are " + missing);
        }
    }

    /** Number of pods that have ended. */
    long ended() {
        return oracle.truth.present().stream().filter(PodTruth::terminal).count();
    }

    /** Every gang that an idle cluster can hold was placed: pods that wait have to have a reason in their own numbers. */
    private void waitingGangs(List<String> open) {
        Map<String, List<PodTruth>> gangs = new TreeMap<>();
        for (PodTruth pod : oracle.truth.present()) {
            if (pod.ours && !pod.ofJob) {
                String key =
                        pod.cluster + "/" + (pod.group.isEmpty() ? "pod " + pod.uid : pod.groupKind + " " + pod.group);
                gangs.computeIfAbsent(key, none -> new ArrayList<>()).add(pod);
            }
        }
        gangs.forEach((key, pods) -> {
            List<PodTruth> waiting = pods.stream()
                    .filter(pod -> !pod.bound() && !pod.deleting && !pod.terminal())
                    .toList();
            if (waiting.isEmpty()) {
                return;
            }
            PodTruth one = waiting.getFirst();
            int minimum = one.group.isEmpty() ? 1 : oracle.truth.minimum(one.cluster, one.groupKind, one.group);
            long there =
                    pods.stream().filter(pod -> !pod.phase.equals("Failed")).count();
            long running = there - waiting.size();
            long missing = Math.max(1, minimum - running);
            boolean quota = one.queue.isEmpty() || missing * one.ask.gpus() <= oracle.quotas.most(one.queue);
            if (minimum > 0 && there >= minimum && quota && room(one.cluster, one.ask) >= missing) {
                open.add("waits though there is room: " + key + " minimum " + minimum + " " + one.ask + " " + waiting
                        + " " + statusOf(one));
            }
        });
    }

    private void waitingJobs(List<String> open) {
        workload.jobs().forEach((id, job) -> {
            WorkloadStatus status = oracle.statuses.get(Simulation.DOMAIN + "/" + Workload.TENANT + "/Job/" + id);
            boolean waits = status != null
                    && (status.getState() == WorkloadState.WAITING
                            || status.getState() == WorkloadState.PLACED
                            || status.getState() == WorkloadState.INCOMPLETE);
            if (!waits) {
                return;
            }
            boolean fits = oracle.truth.presentNodes().stream()
                    .map(node -> node.cluster)
                    // A job that has begun stays where it is.
                    .filter(cluster -> status.getCluster().isEmpty()
                            ? job.cluster().isEmpty() || job.cluster().equals(cluster)
                            : status.getCluster().equals(cluster))
                    .distinct()
                    .anyMatch(cluster -> room(cluster, job.ask()) >= job.minimum());
            if (fits) {
                open.add("job waits though there is room: " + id + " " + job + " " + status);
            }
        });
    }

    private WorkloadStatus statusOf(PodTruth pod) {
        return oracle.statuses.values().stream()
                .filter(status -> status.getCluster().equals(pod.cluster)
                        && status.getObject().equals(pod.group.isEmpty() ? pod.name : pod.group))
                .findFirst()
                .orElse(null);
    }

    private long room(String cluster, Ask ask) {
        return oracle.truth.presentNodes().stream()
                .filter(node -> node.cluster.equals(cluster))
                .mapToLong(node -> ask.countOn(node.has))
                .sum();
    }
}
