package dev.muster.ingest.map;

import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.event.GroupRef;
import dev.muster.schemas.event.PodSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pod as far as scheduling cares.
 *
 * <p>A pod of ours that waits is either understood or refused. A pod that is bound is never refused: it holds room
 * whatever its owner wrote into it, so what can be read of it counts and the rest is reported. Pods that others place
 * matter only while they hold room.
 */
public final class PodMapper {

    private static final Set<String> PHASES = Set.of("Pending", "Running", "Succeeded", "Failed", "Unknown");
    private static final String UNALIGNED = "TopologyAffinityError";
    private static final String CHECKPOINT = "muster.dev/last-checkpoint";
    private static final Pattern ORDINAL = Pattern.compile(".*-([0-9]{1,9})");

    private final Set<String> schedulerNames;

    /** A mapper for pods that name one of {@code schedulerNames} as theirs. */
    public PodMapper(Set<String> schedulerNames) {
        this.schedulerNames = Set.copyOf(schedulerNames);
    }

    /** The facts of {@code pod}. */
    public Mapped<PodSpec> map(Pod pod) {
        var spec = pod.getSpec();
        Problems problems = new Problems();
        Problems notes = new Problems();
        if (spec == null) {
            problems.invalid("spec", "is missing");
            return new Mapped<>(Optional.empty(), problems.refusals());
        }
        ObjectMeta meta = pod.getMetadata();
        String node = text(spec.getNodeName());
        String phase =
                pod.getStatus() == null ? "Pending" : text(pod.getStatus().getPhase());
        boolean ours = schedulerNames.contains(text(spec.getSchedulerName()));
        boolean bound = !node.isEmpty();
        if (!ours && (!bound || phase.equals("Succeeded") || phase.equals("Failed"))) {
            return Mapped.unused();
        }
        Map<String, String> labels = orEmpty(meta.getLabels());
        Map<String, String> annotations = orEmpty(meta.getAnnotations());
        PodMeta podMeta = new PodMeta(text(meta.getName()), text(meta.getNamespace()), labels, annotations);
        PodRequirement requirement = ours
                ? RequirementMapper.whole(spec, podMeta, problems, notes)
                : RequirementMapper.room(spec, podMeta, problems);
        PodSpec facts = PodSpec.newBuilder()
                .setSchedulerName(bounded(spec.getSchedulerName(), "spec.schedulerName", problems))
                .setOurs(ours)
                .setPhase(PHASES.contains(phase) ? phase : phase.isEmpty() ? "Pending" : "Unknown")
                .setNode(node)
                .setDeleting(meta.getDeletionTimestamp() != null)
                .setGated(spec.getSchedulingGates() != null
                        && !spec.getSchedulingGates().isEmpty())
                .setPriority(Objects.requireNonNullElse(spec.getPriority(), 0))
                .setMayPreempt(!"Never".equals(spec.getPreemptionPolicy()))
                .setGroup(ours ? group(meta, labels, annotations, problems) : null)
                .setTask(ours ? task(labels, annotations, problems) : "")
                .setIndex(ours ? index(meta.getName(), labels, annotations) : -1)
                .setQueue(ours ? queue(labels, annotations, problems) : "")
                .setRequirement(requirement)
                // Both ride on the binding; on a pod that nothing bound they are only somebody's claim.
                .setDevices(ours && bound ? devices(annotations, problems) : List.of())
                .setDecision(ours && bound ? bounded(annotations.get("muster.dev/decision"), "decision", problems) : "")
                .setCreatedMillis(Timestamps.millis(meta.getCreationTimestamp()))
                .setUnaligned(ours
                        && phase.equals("Failed")
                        && UNALIGNED.equals(pod.getStatus().getReason()))
                .setNuma(ours && bound ? NumaAnnotation.read(annotations, problems) : List.of())
                .setCheckpointMillis(ours && bound ? checkpoint(annotations, notes) : 0)
                .setEndsByMillis(ours && bound ? endsBy(pod) : 0)
                .setLabels(new Selectors(problems).labels(labels, "metadata.labels", Limits.LABELS))
                .build();
        if (!bound && problems.any()) {
            return Mapped.strict(facts, problems);
        }
        problems.addAll(notes);
        return Mapped.lenient(facts, problems);
    }

    private static GroupRef group(
            ObjectMeta meta, Map<String, String> labels, Map<String, String> annotations, Problems problems) {
        String volcano = bounded(annotations.get("scheduling.k8s.io/group-name"), "group-name", problems);
        if (!volcano.isEmpty()) {
            return new GroupRef("VolcanoPodGroup", volcano);
        }
        String podGroup = bounded(labels.get("scheduling.x-k8s.io/pod-group"), "pod-group", problems);
        if (podGroup.isEmpty()) {
            podGroup = bounded(labels.get("pod-group.scheduling.sigs.k8s.io"), "pod-group", problems);
        }
        if (!podGroup.isEmpty()) {
            return new GroupRef("PodGroup", podGroup);
        }
        String job = bounded(labels.get("muster.dev/job"), "muster.dev/job", problems);
        String tenant = bounded(annotations.get("muster.dev/tenant"), "muster.dev/tenant", problems);
        if (!job.isEmpty() && !tenant.isEmpty()) {
            return new GroupRef("Job", tenant + "/" + job);
        }
        String kai = bounded(annotations.get("pod-group-name"), "pod-group-name", problems);
        if (!kai.isEmpty()) {
            return new GroupRef("KaiPodGroup", kai);
        }
        return batchJob(meta);
    }

    /** Whether a Job's pods start together, the Job says. */
    private static GroupRef batchJob(ObjectMeta meta) {
        return orEmpty(meta.getOwnerReferences()).stream()
                .filter(owner -> "Job".equals(owner.getKind()) && "batch/v1".equals(owner.getApiVersion()))
                .filter(owner -> owner.getName() != null && owner.getName().length() <= Limits.NAME)
                .findFirst()
                .map(owner -> new GroupRef("BatchJob", owner.getName()))
                .orElse(null);
    }

    private static String task(Map<String, String> labels, Map<String, String> annotations, Problems problems) {
        String volcano = either(annotations, labels, "volcano.sh/task-spec", problems);
        String own = volcano.isEmpty() ? either(labels, annotations, "muster.dev/task", problems) : volcano;
        return own.isEmpty() ? either(labels, annotations, "kai.scheduler/subgroup-name", problems) : own;
    }

    private static String queue(Map<String, String> labels, Map<String, String> annotations, Problems problems) {
        String queue = either(annotations, labels, "volcano.sh/queue-name", problems);
        return queue.isEmpty() ? either(annotations, labels, "scheduling.volcano.sh/queue-name", problems) : queue;
    }

    /** The index the pod's controller gave it, else the suffix of its name as StatefulSets and jobs build it. */
    private static int index(String name, Map<String, String> labels, Map<String, String> annotations) {
        for (String key :
                List.of("volcano.sh/task-index", "batch.kubernetes.io/job-completion-index", "muster.dev/index")) {
            String text = annotations.getOrDefault(key, labels.get(key));
            if (text != null && text.matches("[0-9]{1,9}")) {
                return Integer.parseInt(text);
            }
        }
        Matcher ordinal = ORDINAL.matcher(text(name));
        return ordinal.matches() ? Integer.parseInt(ordinal.group(1)) : -1;
    }

    private static List<Integer> devices(Map<String, String> annotations, Problems problems) {
        String text = text(annotations.get("muster.dev/gpu-devices"));
        if (text.isEmpty()) {
            return List.of();
        }
        String expected = "device numbers from 0 to " + (Limits.DEVICES - 1) + ", rising, such as 0,3";
        List<Integer> devices = new ArrayList<>();
        int last = -1;
        for (String part : text.split(",", Limits.DEVICES + 1)) {
            int device = part.matches("[0-9]{1,3}") ? Integer.parseInt(part) : -1;
            if (device <= last || device >= Limits.DEVICES) {
                problems.invalid("metadata.annotations[muster.dev/gpu-devices]", text, expected);
                return List.of();
            }
            devices.add(device);
            last = device;
        }
        return devices;
    }

    /** When its kubelet ends it at the latest, which counts from when it took the pod; 0 where nothing bounds it. */
    private static long endsBy(Pod pod) {
        Long seconds = pod.getSpec().getActiveDeadlineSeconds();
        long start =
                pod.getStatus() == null ? 0 : Timestamps.millis(pod.getStatus().getStartTime());
        return seconds == null ? 0 : Timestamps.after(start, seconds);
    }

    /** When the work was saved last; 0 where nothing says so, or what does is no time. */
    private static long checkpoint(Map<String, String> annotations, Problems notes) {
        String text = annotations.get(CHECKPOINT);
        if (text == null) {
            return 0;
        }
        long millis = Timestamps.millis(text);
        if (millis == 0 || millis > Timestamps.YEAR_9999_MILLIS) {
            notes.invalid("metadata.annotations[" + CHECKPOINT + "]", text, "a time such as 2026-11-30T18:05:00Z");
            return 0;
        }
        return millis;
    }

    private static String either(Map<String, String> first, Map<String, String> second, String key, Problems problems) {
        return bounded(first.getOrDefault(key, second.get(key)), key, problems);
    }

    private static String bounded(String value, String field, Problems problems) {
        String text = text(value);
        return problems.within(field, text.length(), Limits.NAME) ? text : "";
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }

    private static <T> List<T> orEmpty(List<T> list) {
        return list == null ? List.of() : list;
    }

    private static Map<String, String> orEmpty(Map<String, String> map) {
        return map == null ? Map.of() : map;
    }
}
