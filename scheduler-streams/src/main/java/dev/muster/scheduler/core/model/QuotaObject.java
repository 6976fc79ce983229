package dev.muster.scheduler.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Objects of Kueue that say who may use how much of what. Amounts are in the base unit of their resource. */
public sealed interface QuotaObject extends Policy {
    /**
     * What a queue or cohort has of one resource of a flavor.
     *
     * @param borrowing how much more it may use; -1 for as much as its cohort has
     * @param lending how much of it others may use; -1 for all
     */
    record ResourceQuota(String resource, long nominal, long borrowing, long lending) {}

    /** What a queue or cohort has of a flavor. */
    record FlavorQuotas(String flavor, List<ResourceQuota> resources) {
        public FlavorQuotas {
            resources = List.copyOf(resources);
        }
    }

    /** Resources that a pod set gets from one flavor together; flavors in the order in which they are tried. */
    record ResourceGroup(List<String> resources, List<FlavorQuotas> flavors) {
        public ResourceGroup {
            resources = List.copyOf(resources);
            flavors = List.copyOf(flavors);
        }
    }

    /** Whether a queue takes new work. */
    enum StopPolicy {
        /** It does. */
        NONE("None"),
        /** It does not; what runs goes on. */
        HOLD("Hold"),
        /** It does not; what runs is to end. */
        HOLD_AND_DRAIN("HoldAndDrain");

        private final String label;

        StopPolicy(String label) {
            this.label = label;
        }

        /** The word of the API. */
        public String label() {
            return label;
        }
    }

    /**
     * When a flavor is taken though a later one may be better (flavorFungibility).
     *
     * @param borrowStops one that would do by borrowing is taken
     * @param preemptStops one that would do by preemption is waited for
     * @param preemptionFirst where no flavor stops the search, preemption is preferred to borrowing
     */
    record Fungibility(boolean borrowStops, boolean preemptStops, boolean preemptionFirst) {
        /** Where nothing is said. */
        public static final Fungibility DEFAULT = new Fungibility(true, false, false);
    }

    /**
     * Whom workloads of a queue may preempt, in the words of the API.
     *
     * @param borrowThreshold maxPriorityThreshold of borrowWithinCohort; null for none
     */
    record Preemption(
            String withinClusterQueue, String reclaimWithinCohort, String borrowWithinCohort, Integer borrowThreshold) {
        /** Where nothing is said. */
        public static final Preemption NEVER = new Preemption("Never", "Never", "Never", null);

        /** Whether anybody may be preempted at all. */
        public boolean any() {
            return !withinClusterQueue.equals("Never") || !reclaimWithinCohort.equals("Never");
        }
    }

    /**
     * A ClusterQueue.
     *
     * @param cohort empty for none
     * @param strict StrictFIFO: nobody passes the one who waits longest
     * @param selectsNamespaces false: it admits from no namespace
     * @param namespaceSelector all must hold for the labels of a namespace
     * @param weightMilli weight in fair sharing, in thousandths
     * @param byUsage its LocalQueues come in the order of what they used lately (admissionScope: UsageBasedAdmissionFairSharing)
     */
    record ClusterQueue(
            String cohort,
            boolean strict,
            StopPolicy stop,
            boolean selectsNamespaces,
            List<NodeExpression> namespaceSelector,
            Fungibility fungibility,
            Preemption preemption,
            int weightMilli,
            boolean byUsage,
            List<ResourceGroup> groups)
            implements QuotaObject {
        public ClusterQueue {
            namespaceSelector = List.copyOf(namespaceSelector);
            groups = List.copyOf(groups);
        }
    }

    /** A Cohort; the parent is empty for a root. */
    record Cohort(String parent, int weightMilli, List<ResourceGroup> groups) implements QuotaObject {
        public Cohort {
            groups = List.copyOf(groups);
        }
    }

    /**
     * A LocalQueue: the name under which a namespace uses a ClusterQueue.
     *
     * @param weightMilli what it used counts by so many thousandths less
     */
    record LocalQueue(String clusterQueue, StopPolicy stop, int weightMilli) implements QuotaObject {}

    /**
     * A ResourceFlavor: a kind of node that a quota is counted in.
     *
     * @param nodeLabels which nodes
     * @param taints what pods must tolerate to get it
     * @param tolerations what its pods tolerate in addition
     */
    record ResourceFlavor(SortedMap<String, String> nodeLabels, List<Taint> taints, List<Toleration> tolerations)
            implements QuotaObject {
        public ResourceFlavor {
            nodeLabels = Collections.unmodifiableSortedMap(new TreeMap<>(nodeLabels));
            taints = List.copyOf(taints);
            tolerations = List.copyOf(tolerations);
        }
    }

    /** A WorkloadPriorityClass: the order in which workloads are admitted, whatever the priority of their pods. */
    record WorkloadPriorityClass(int value) implements QuotaObject {}
}
