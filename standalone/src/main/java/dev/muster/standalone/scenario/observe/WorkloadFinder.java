package dev.muster.standalone.scenario.observe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Workloads by namespace and name: jobs first, so that a group of its job's name does not stand in for the job. */
final class WorkloadFinder {
    private final Collection<PodView> pods;
    private final Objects objects;
    private final Collection<StatusView> statuses;

    WorkloadFinder(Collection<PodView> pods, Objects objects, Collection<StatusView> statuses) {
        this.pods = pods;
        this.objects = objects;
        this.statuses = statuses;
    }

    List<WorkloadView> find(Predicate<String> path) {
        List<WorkloadView> found = new ArrayList<>();
        for (String kind : List.of(Kinds.VOLCANO_JOB, Kinds.JOB)) {
            matching(kind, path).forEach(job -> found.add(view(kind, job, job(kind, job))));
        }
        if (found.isEmpty()) {
            for (String kind : List.of(Kinds.VOLCANO_POD_GROUP, Kinds.POD_GROUP, Kinds.KAI_POD_GROUP)) {
                matching(kind, path).forEach(group -> found.add(view(kind, group, group(group))));
            }
        }
        if (found.isEmpty()) {
            matching(Kinds.WORKLOAD, path)
                    .forEach(each -> found.add(view(Kinds.WORKLOAD, each, WorkloadStates.ofWorkload(each.tree()))));
        }
        if (found.isEmpty()) {
            groupsThatPodsName().stream()
                    .filter(group -> path.test(group.namespace() + "/" + group.name()))
                    .forEach(found::add);
        }
        if (found.isEmpty()) {
            pods.stream().filter(pod -> path.test(pod.path())).forEach(pod -> found.add(pod(pod)));
        }
        return found;
    }

    /** Every workload once: groups that a job made are told by the job. */
    List<WorkloadView> all() {
        List<WorkloadView> found = new ArrayList<>();
        for (String kind : List.of(Kinds.VOLCANO_JOB, Kinds.JOB)) {
            matching(kind, path -> true).forEach(job -> found.add(view(kind, job, job(kind, job))));
        }
        for (String kind : List.of(Kinds.VOLCANO_POD_GROUP, Kinds.POD_GROUP, Kinds.KAI_POD_GROUP)) {
            matching(kind, path -> true).stream()
                    .filter(group -> group.tree()
                            .path("metadata")
                            .path("ownerReferences")
                            .isEmpty())
                    .forEach(group -> found.add(view(kind, group, group(group))));
        }
        groupsThatPodsName().stream()
                .filter(named -> found.stream()
                        .noneMatch(group -> group.cluster().equals(named.cluster())
                                && group.namespace().equals(named.namespace())
                                && group.name().equals(named.name())))
                .toList()
                .forEach(found::add);
        pods.stream()
                .filter(pod ->
                        pod.ours() && pod.owner().isEmpty() && pod.group().isEmpty())
                .forEach(pod -> found.add(pod(pod)));
        return found;
    }

    /** Groups that do not exist, but pods say they are in them. */
    private Set<WorkloadView> groupsThatPodsName() {
        Set<WorkloadView> named = new LinkedHashSet<>();
        pods.stream()
                .filter(pod -> !pod.group().isEmpty() && pod.owner().isEmpty())
                .forEach(pod -> {
                    String namespace = pod.namespace();
                    List<String> reasons = reasons(pod.cluster(), namespace, pod.group());
                    named.add(new WorkloadView(pod.cluster(), "PodGroup", namespace, pod.group(), "Pending", reasons));
                });
        return named;
    }

    private WorkloadView pod(PodView pod) {
        return new WorkloadView(
                pod.cluster(),
                "Pod",
                pod.namespace(),
                pod.name(),
                WorkloadStates.ofPod(pod),
                reasons(pod.cluster(), pod.namespace(), pod.group().isEmpty() ? pod.name() : pod.group()));
    }

    private List<Objects.Kept> matching(String kind, Predicate<String> path) {
        return objects.of(kind).stream()
                .filter(kept -> path.test(kept.namespace() + "/" + kept.name()))
                .toList();
    }

    private WorkloadView view(String kind, Objects.Kept kept, String state) {
        return new WorkloadView(
                kept.cluster(),
                kind.substring(0, kind.indexOf('.')),
                kept.namespace(),
                kept.name(),
                kept.gone() ? "(deleted)" : state,
                reasons(kept.cluster(), kept.namespace(), kept.name()));
    }

    /** A batch Job none of whose pods runs yet is admitted once one has a node. */
    private String job(String kind, Objects.Kept job) {
        String state = WorkloadStates.ofJob(kind, job.tree());
        boolean waits = kind.equals(Kinds.JOB) && state.equals("Pending");
        return waits && ownedBy(job).stream().anyMatch(PodView::bound) ? "Admitted" : state;
    }

    private List<PodView> ownedBy(Objects.Kept job) {
        return pods.stream()
                .filter(pod -> pod.cluster().equals(job.cluster())
                        && pod.namespace().equals(job.namespace())
                        && pod.owner().equals("Job/" + job.name()))
                .toList();
    }

    private String group(Objects.Kept group) {
        return WorkloadStates.ofGroup(
                group.tree(),
                pods.stream()
                        .filter(pod -> pod.cluster().equals(group.cluster())
                                && pod.namespace().equals(group.namespace())
                                && pod.group().equals(group.name()))
                        .toList());
    }

    /** Codes of the workload itself and of single pods that belong to it. */
    private List<String> reasons(String cluster, String namespace, String name) {
        TreeSet<String> members = new TreeSet<>();
        pods.stream()
                .filter(pod -> pod.cluster().equals(cluster) && pod.belongsTo().equals(namespace + "/" + name))
                .forEach(pod -> members.add(pod.name()));
        TreeSet<String> codes = new TreeSet<>();
        for (StatusView status : statuses) {
            boolean here = status.cluster().isEmpty() || status.cluster().equals(cluster);
            boolean itself = status.name().equals(name)
                    || status.object().equals(name)
                    || status.kind().equals("Pod") && members.contains(status.object());
            if (here
                    && status.namespace().equals(namespace)
                    && itself
                    && !status.code().isEmpty()) {
                codes.add(status.code());
            }
        }
        return List.copyOf(codes);
    }
}
