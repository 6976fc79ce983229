package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.QuotaObject;
import dev.muster.scheduler.core.model.QuotaObject.StopPolicy;
import dev.muster.schemas.event.ClusterQueueSpec;
import dev.muster.schemas.event.CohortSpec;
import dev.muster.schemas.event.FlavorQuotas;
import dev.muster.schemas.event.LocalQueueSpec;
import dev.muster.schemas.event.ResourceFlavorSpec;
import dev.muster.schemas.event.ResourceGroup;
import dev.muster.schemas.event.ResourceQuota;
import dev.muster.schemas.event.WorkloadPriorityClassSpec;
import java.util.List;
import java.util.stream.Stream;

/** Queues, cohorts, flavors and priority classes of Kueue. */
final class QuotaCodec {
    private static final List<String> STOPS =
            Stream.of(StopPolicy.values()).map(StopPolicy::label).toList();
    private static final List<String> WITHIN = List.of("Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any");

    private QuotaCodec() {}

    static QuotaObject queue(ClusterQueueSpec from) {
        return new QuotaObject.ClusterQueue(
                Checks.nameOrEmpty("spec.cohort", from.getCohort()),
                from.getStrict(),
                stop(from.getStopPolicy()),
                from.getSelectsNamespaces(),
                RequirementCodec.expressions("spec.namespaceSelector", from.getNamespaceSelector()),
                new QuotaObject.Fungibility(from.getBorrowStops(), from.getPreemptStops(), from.getPreemptionFirst()),
                new QuotaObject.Preemption(
                        Checks.oneOf("spec.withinClusterQueue", from.getWithinClusterQueue(), WITHIN),
                        Checks.oneOf("spec.reclaimWithinCohort", from.getReclaimWithinCohort(), WITHIN),
                        Checks.oneOf("spec.borrowWithinCohort", from.getBorrowWithinCohort(), WITHIN),
                        from.getMaxPriorityThreshold()),
                Checks.between("spec.weightMilli", from.getWeightMilli(), 0, Integer.MAX_VALUE),
                from.getByUsage(),
                groups(from.getResourceGroups()));
    }

    static QuotaObject cohort(CohortSpec from) {
        return new QuotaObject.Cohort(
                Checks.nameOrEmpty("spec.parent", from.getParent()),
                Checks.between("spec.weightMilli", from.getWeightMilli(), 0, Integer.MAX_VALUE),
                groups(from.getResourceGroups()));
    }

    static QuotaObject localQueue(LocalQueueSpec from) {
        return new QuotaObject.LocalQueue(
                Checks.name("spec.clusterQueue", from.getClusterQueue()),
                stop(from.getStopPolicy()),
                Checks.between("spec.weightMilli", from.getWeightMilli(), 0, Integer.MAX_VALUE));
    }

    static QuotaObject flavor(ResourceFlavorSpec from) {
        return new QuotaObject.ResourceFlavor(
                RequirementCodec.byKey("spec.nodeLabels", from.getNodeLabels()),
                Checks.each("spec.nodeTaints", from.getNodeTaints(), Checks.ENTRIES, NodeCodec::taint),
                Checks.each("spec.tolerations", from.getTolerations(), Checks.ENTRIES, RequirementCodec::toleration));
    }

    static Object write(QuotaObject from) {
        return switch (from) {
            case QuotaObject.ClusterQueue queue ->
                new ClusterQueueSpec(
                        queue.cohort(),
                        queue.strict(),
                        queue.stop().label(),
                        queue.selectsNamespaces(),
                        RequirementCodec.writeExpressions(queue.namespaceSelector()),
                        queue.fungibility().borrowStops(),
                        queue.fungibility().preemptStops(),
                        queue.fungibility().preemptionFirst(),
                        queue.preemption().withinClusterQueue(),
                        queue.preemption().reclaimWithinCohort(),
                        queue.preemption().borrowWithinCohort(),
                        queue.preemption().borrowThreshold(),
                        queue.weightMilli(),
                        writeGroups(queue.groups()),
                        queue.byUsage());
            case QuotaObject.Cohort cohort ->
                new CohortSpec(cohort.parent(), cohort.weightMilli(), writeGroups(cohort.groups()));
            case QuotaObject.LocalQueue queue ->
                new LocalQueueSpec(queue.clusterQueue(), queue.stop().label(), queue.weightMilli());
            case QuotaObject.ResourceFlavor flavor ->
                new ResourceFlavorSpec(
                        RequirementCodec.writeByKey(flavor.nodeLabels()),
                        NodeCodec.writeTaints(flavor.taints()),
                        RequirementCodec.writeTolerations(flavor.tolerations()));
            case QuotaObject.WorkloadPriorityClass priority -> new WorkloadPriorityClassSpec(priority.value());
        };
    }

    private static StopPolicy stop(String label) {
        return StopPolicy.values()[STOPS.indexOf(Checks.oneOf("spec.stopPolicy", label, STOPS))];
    }

    private static List<QuotaObject.ResourceGroup> groups(List<ResourceGroup> from) {
        return Checks.each(
                "spec.resourceGroups",
                from,
                Checks.ENTRIES,
                group -> new QuotaObject.ResourceGroup(
                        Checks.each(
                                "resources",
                                group.getResources(),
                                Checks.ENTRIES,
                                resource -> Checks.name("resource", resource)),
                        Checks.each("flavors", group.getFlavors(), Checks.ENTRIES, QuotaCodec::quotas)));
    }

    private static QuotaObject.FlavorQuotas quotas(FlavorQuotas from) {
        return new QuotaObject.FlavorQuotas(
                Checks.name("flavor", from.getFlavor()),
                Checks.each(
                        "resources",
                        from.getResources(),
                        Checks.ENTRIES,
                        quota -> new QuotaObject.ResourceQuota(
                                Checks.name("resource", quota.getResource()),
                                amount("nominal", quota.getNominal(), 0),
                                amount("borrowing", quota.getBorrowing(), -1),
                                amount("lending", quota.getLending(), -1))));
    }

    /** A limit as large as {@link Checks#AMOUNT} is none: thousandths of it still fit into a long. */
    private static long amount(String field, long value, long least) {
        return Math.min(Checks.between(field, value, least, Long.MAX_VALUE), Checks.AMOUNT);
    }

    private static List<ResourceGroup> writeGroups(List<QuotaObject.ResourceGroup> from) {
        return Checks.map(
                from,
                group -> new ResourceGroup(
                        group.resources(),
                        Checks.map(
                                group.flavors(),
                                flavor -> new FlavorQuotas(
                                        flavor.flavor(),
                                        Checks.map(
                                                flavor.resources(),
                                                quota -> new ResourceQuota(
                                                        quota.resource(),
                                                        quota.nominal(),
                                                        quota.borrowing(),
                                                        quota.lending()))))));
    }
}
