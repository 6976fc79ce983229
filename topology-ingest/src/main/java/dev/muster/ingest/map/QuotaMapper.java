package dev.muster.ingest.map;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.Taint;
import dev.muster.schemas.common.Toleration;
import dev.muster.schemas.event.ClusterQueueSpec;
import dev.muster.schemas.event.CohortSpec;
import dev.muster.schemas.event.FlavorQuotas;
import dev.muster.schemas.event.LocalQueueSpec;
import dev.muster.schemas.event.ResourceFlavorSpec;
import dev.muster.schemas.event.ResourceGroup;
import dev.muster.schemas.event.ResourceQuota;
import dev.muster.schemas.event.WorkloadPriorityClassSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Quota of Kueue (kueue.x-k8s.io): queues, cohorts, flavors and priority classes, in the words of v1beta2, v1beta1 and (of
 * Cohorts) v1alpha1. What its webhooks refuse is refused here, too.
 */
public final class QuotaMapper {
    private static final List<String> STOPS = List.of("None", "Hold", "HoldAndDrain");
    private static final int UNLIMITED = -1;

    /** The mode has two names in Kueue's documentation. */
    private static final List<String> SCOPES =
            List.of("NoAdmissionFairSharing", "UsageBasedAdmissionFairSharing", "UsageBasedFairSharing");

    private QuotaMapper() {}

    /** A ClusterQueue. */
    public static Mapped<ClusterQueueSpec> clusterQueue(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree spec = Tree.of(object, problems).child("spec");
        Tree fungibility = spec.child("flavorFungibility");
        Tree preemption = spec.child("preemption");
        Tree borrowing = preemption.child("borrowWithinCohort");
        Tree selector = spec.child("namespaceSelector");
        String cohort = spec.text("cohortName");
        ClusterQueueSpec facts = ClusterQueueSpec.newBuilder()
                .setCohort(cohort.isEmpty() ? spec.text("cohort") : cohort)
                .setStrict(oneOf(spec, "queueingStrategy", List.of("BestEffortFIFO", "StrictFIFO"), problems)
                        .equals("StrictFIFO"))
                .setStopPolicy(oneOf(spec, "stopPolicy", STOPS, problems))
                .setSelectsNamespaces(spec.has("namespaceSelector"))
                .setNamespaceSelector(new Selectors(problems).labelSelector(selector))
                .setBorrowStops(stops(fungibility, "whenCanBorrow", "Borrow", true, problems))
                .setPreemptStops(stops(fungibility, "whenCanPreempt", "Preempt", false, problems))
                .setPreemptionFirst(oneOf(
                                fungibility,
                                "preference",
                                List.of("BorrowingOverPreemption", "PreemptionOverBorrowing"),
                                problems)
                        .equals("PreemptionOverBorrowing"))
                .setWithinClusterQueue(oneOf(
                        preemption,
                        "withinClusterQueue",
                        List.of("Never", "LowerPriority", "LowerOrNewerEqualPriority"),
                        problems))
                .setReclaimWithinCohort(
                        oneOf(preemption, "reclaimWithinCohort", List.of("Never", "LowerPriority", "Any"), problems))
                .setBorrowWithinCohort(oneOf(borrowing, "policy", List.of("Never", "LowerPriority"), problems))
                .setMaxPriorityThreshold(
                        borrowing.has("maxPriorityThreshold")
                                ? borrowing.number("maxPriorityThreshold", 0, Integer.MIN_VALUE, Integer.MAX_VALUE)
                                : null)
                .setWeightMilli(weightMilli(spec, problems))
                .setResourceGroups(groups(spec, !cohort.isEmpty() || spec.has("cohort"), problems))
                .setByUsage(oneOf(spec.child("admissionScope"), "admissionMode", SCOPES, problems)
                        .startsWith("UsageBased"))
                .build();
        return Mapped.strict(facts, problems);
    }

    /** A Cohort. */
    public static Mapped<CohortSpec> cohort(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree spec = Tree.of(object, problems).child("spec");
        String parent = spec.text("parentName");
        CohortSpec facts = new CohortSpec(
                parent.isEmpty() ? spec.text("parent") : parent,
                weightMilli(spec, problems),
                groups(spec, true, problems));
        return Mapped.strict(facts, problems);
    }

    /** A LocalQueue. */
    public static Mapped<LocalQueueSpec> localQueue(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree spec = Tree.of(object, problems).child("spec");
        String clusterQueue = spec.text("clusterQueue");
        if (clusterQueue.isEmpty()) {
            problems.invalid(spec.path("clusterQueue"), "is missing");
        }
        return Mapped.strict(
                new LocalQueueSpec(
                        clusterQueue, oneOf(spec, "stopPolicy", STOPS, problems), weightMilli(spec, problems)),
                problems);
    }

    /** A ResourceFlavor. */
    public static Mapped<ResourceFlavorSpec> flavor(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree spec = Tree.of(object, problems).child("spec");
        List<KeyValue> labels = new ArrayList<>();
        spec.textsByName("nodeLabels").forEach((key, value) -> labels.add(new KeyValue(key, value)));
        List<Taint> taints = new ArrayList<>();
        for (Tree taint : spec.children("nodeTaints", Limits.TAINTS)) {
            taints.add(new Taint(taint.text("key"), taint.text("value"), taint.text("effect")));
        }
        List<Toleration> tolerations = new ArrayList<>();
        for (Tree toleration : spec.children("tolerations", Limits.TAINTS)) {
            String operator = oneOf(toleration, "operator", List.of("Equal", "Exists"), problems);
            tolerations.add(new Toleration(
                    toleration.text("key"), operator, toleration.text("value"), toleration.text("effect")));
        }
        return Mapped.strict(new ResourceFlavorSpec(labels, taints, tolerations), problems);
    }

    /** A WorkloadPriorityClass; its value stands beside its metadata. */
    public static Mapped<WorkloadPriorityClassSpec> priorityClass(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree root = Tree.of(object, problems);
        return Mapped.strict(
                new WorkloadPriorityClassSpec(root.number("value", 0, Integer.MIN_VALUE, Integer.MAX_VALUE)), problems);
    }

    private static List<ResourceGroup> groups(Tree spec, boolean inCohort, Problems problems) {
        List<ResourceGroup> groups = new ArrayList<>();
        Set<String> covered = new HashSet<>();
        Set<String> flavors = new HashSet<>();
        for (Tree group : spec.children("resourceGroups", Limits.RESOURCE_GROUPS)) {
            List<String> resources = group.texts("coveredResources", Limits.RESOURCES);
            for (String resource : resources) {
                if (resource.isEmpty() || resource.length() > Limits.QUALIFIED_NAME || !covered.add(resource)) {
                    problems.invalid(group.path("coveredResources"), resource, "a resource that is not covered yet");
                }
            }
            List<FlavorQuotas> quotas = new ArrayList<>();
            for (Tree flavor : group.children("flavors", Limits.FLAVORS)) {
                String name = flavor.text("name");
                if (name.isEmpty() || !flavors.add(name)) {
                    problems.invalid(flavor.path("name"), name, "a flavor that is not named yet");
                }
                quotas.add(new FlavorQuotas(name, quotas(flavor, resources, inCohort, problems)));
            }
            groups.add(new ResourceGroup(resources, quotas));
        }
        return groups;
    }

    /** As many entries as the group covers resources, in the same order. */
    private static List<ResourceQuota> quotas(
            Tree flavor, List<String> resources, boolean inCohort, Problems problems) {
        List<ResourceQuota> quotas = new ArrayList<>();
        for (Tree entry : flavor.children("resources", Limits.RESOURCES)) {
            String resource = entry.text("name");
            if (quotas.size() >= resources.size()
                    || !resources.get(quotas.size()).equals(resource)) {
                problems.invalid(entry.path("name"), resource, "the resources of coveredResources in their order");
                return quotas;
            }
            if (!inCohort && (entry.has("borrowingLimit") || entry.has("lendingLimit"))) {
                problems.invalid(entry.path("borrowingLimit"), "limits borrowing or lending outside of a cohort");
            }
            if (!entry.has("nominalQuota")) {
                problems.invalid(entry.path("nominalQuota"), "is missing");
            }
            quotas.add(new ResourceQuota(
                    resource,
                    amount(entry, resource, "nominalQuota", 0),
                    amount(entry, resource, "borrowingLimit", UNLIMITED),
                    amount(entry, resource, "lendingLimit", UNLIMITED)));
        }
        if (quotas.size() < resources.size()) {
            problems.invalid(
                    flavor.path("resources"), "has " + quotas.size() + " of the " + resources.size() + " resources");
        }
        return quotas;
    }

    private static long amount(Tree entry, String resource, String field, long otherwise) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        entry.amountInto(amounts, resource, field);
        return amounts.getOrDefault(resource, otherwise);
    }

    /** fairSharing.weight is a quantity; 1 where none is given. */
    private static int weightMilli(Tree spec, Problems problems) {
        Tree sharing = spec.child("fairSharing");
        if (!sharing.has("weight")) {
            return 1000;
        }
        // Thousandths, as of cpu.
        OptionalLong milli = Quantities.parse("cpu", sharing.scalar("weight"), RoundingMode.FLOOR);
        if (milli.isEmpty() || milli.getAsLong() > Integer.MAX_VALUE) {
            problems.invalid(sharing.path("weight"), sharing.scalar("weight"), "a weight from 0 to 2000000");
            return 1000;
        }
        return (int) milli.getAsLong();
    }

    /** The first of the words where none is given. */
    private static String oneOf(Tree tree, String field, List<String> words, Problems problems) {
        String given = tree.text(field);
        if (given.isEmpty()) {
            return words.getFirst();
        }
        if (!words.contains(given)) {
            problems.invalid(tree.path(field), given, "one of " + String.join(", ", words));
            return words.getFirst();
        }
        return given;
    }

    private static boolean stops(Tree tree, String field, String older, boolean otherwise, Problems problems) {
        if (tree.text(field).isEmpty()) {
            return otherwise;
        }
        return !oneOf(tree, field, List.of("MayStopSearch", older, "TryNextFlavor"), problems)
                .equals("TryNextFlavor");
    }
}
