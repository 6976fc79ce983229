package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.PodSpec;
import dev.muster.schemas.event.TaskSpec;
import java.util.List;
import java.util.stream.Stream;

/** What is known of pods and of the gang objects they belong to. */
final class PodCodec {
    private static final List<String> PHASES = List.of("Pending", "Running", "Succeeded", "Failed", "Unknown");
    private static final List<String> GROUP_KINDS = Stream.of(
                    WorkloadKind.VOLCANO_POD_GROUP,
                    WorkloadKind.POD_GROUP,
                    WorkloadKind.BATCH_JOB,
                    WorkloadKind.KAI_POD_GROUP,
                    WorkloadKind.JOB)
            .map(WorkloadKind::label)
            .toList();

    private PodCodec() {}

    static PodFacts read(PodSpec from) {
        return new PodFacts(
                Checks.text("schedulerName", from.getSchedulerName()),
                from.getOurs(),
                Checks.oneOf("phase", from.getPhase(), PHASES),
                Checks.nameOrEmpty("node", from.getNode()),
                from.getDeleting(),
                from.getGated(),
                from.getPriority(),
                from.getMayPreempt(),
                from.getGroup() == null ? null : Checks.part("group", from.getGroup(), PodCodec::groupRef),
                Checks.nameOrEmpty("task", from.getTask()),
                Checks.between("index", from.getIndex(), -1, Integer.MAX_VALUE),
                Checks.nameOrEmpty("queue", from.getQueue()),
                Checks.part("requirement", from.getRequirement(), RequirementCodec::read),
                Checks.devices("devices", from.getDevices()),
                Checks.text("decision", from.getDecision()),
                Checks.millis("createdMillis", from.getCreatedMillis()),
                RequirementCodec.byKey("labels", from.getLabels()),
                from.getUnaligned(),
                RequirementCodec.numa("numa", from.getNuma()),
                Checks.millis("checkpointMillis", from.getCheckpointMillis()),
                Checks.millis("endsByMillis", from.getEndsByMillis()));
    }

    static PodSpec write(PodFacts from) {
        GroupRef group = from.group();
        return new PodSpec(
                from.schedulerName(),
                from.ours(),
                from.phase(),
                from.node(),
                from.deleting(),
                from.gated(),
                from.priority(),
                from.mayPreempt(),
                group == null
                        ? null
                        : new dev.muster.schemas.event.GroupRef(group.kind().label(), group.name()),
                from.task(),
                from.index(),
                from.queue(),
                RequirementCodec.write(from.requirement()),
                from.devices(),
                from.decision(),
                from.createdMillis(),
                RequirementCodec.writeByKey(from.labels()),
                from.unaligned(),
                RequirementCodec.writeNuma(from.numa().shares()),
                from.checkpointMillis(),
                from.endsByMillis());
    }

    static GroupFacts readGroup(GroupSpec from) {
        return new GroupFacts(
                Checks.nameOrEmpty("queue", from.getQueue()),
                Checks.nameOrEmpty("priorityClass", from.getPriorityClass()),
                Checks.between("minMember", from.getMinMember(), 0, Checks.PODS),
                Checks.each("tasks", from.getTasks(), Checks.ENTRIES, PodCodec::task),
                Checks.nameOrEmpty("ownerJob", from.getOwnerJob()),
                Checks.text("phase", from.getPhase()),
                Checks.between("scheduleTimeoutSeconds", from.getScheduleTimeoutSeconds(), 0, Integer.MAX_VALUE),
                Checks.millis("createdMillis", from.getCreatedMillis()),
                TopologyCodec.readNetwork(from.getTopology()),
                Checks.each("subGroups", from.getSubGroups(), Checks.ENTRIES, TopologyCodec::readSubGroup),
                ShapeCodec.read(from),
                Checks.nameOrEmpty("localQueue", from.getLocalQueue()),
                Checks.nameOrEmpty("workloadPriorityClass", from.getWorkloadPriorityClass()),
                from.getAlone(),
                Checks.between("wanted", from.getWanted(), -1, Checks.PODS),
                Checks.millis("endsByMillis", from.getEndsByMillis()));
    }

    static GroupSpec writeGroup(GroupFacts from) {
        return new GroupSpec(
                from.queue(),
                from.priorityClass(),
                from.minMember(),
                Checks.map(
                        from.tasks(),
                        task -> new TaskSpec(task.name(), task.minMember(), task.replicas(), task.priorityClass())),
                from.ownerJob(),
                from.phase(),
                from.scheduleTimeoutSeconds(),
                from.createdMillis(),
                TopologyCodec.writeNetwork(from.topology()),
                Checks.map(from.subGroups(), TopologyCodec::writeSubGroup),
                ShapeCodec.matchPolicy(from.shape().matchPolicy()),
                from.shape().startsWith(),
                TopologyCodec.writePodSet(from.shape().place()),
                from.shape().minSubGroups(),
                Checks.map(from.shape().tree(), ShapeCodec::write),
                from.localQueue(),
                from.workloadPriorityClass(),
                from.alone(),
                from.wanted(),
                from.endsByMillis());
    }

    private static GroupRef groupRef(dev.muster.schemas.event.GroupRef from) {
        return new GroupRef(
                WorkloadKind.ofLabel(Checks.oneOf("kind", from.getKind(), GROUP_KINDS)),
                Checks.id("name", from.getName()));
    }

    private static GroupFacts.Task task(TaskSpec from) {
        return new GroupFacts.Task(
                Checks.name("name", from.getName()),
                Checks.between("minMember", from.getMinMember(), 0, Checks.PODS),
                Checks.between("replicas", from.getReplicas(), -1, Checks.PODS),
                Checks.nameOrEmpty("priorityClass", from.getPriorityClass()));
    }
}
