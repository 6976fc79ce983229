package dev.muster.scheduler.core.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Objects of a cluster's storage, as far as they say where pods can run. */
public sealed interface Storage extends Policy {
    /**
     * A PersistentVolumeClaim.
     *
     * @param volume spec.volumeName; empty where none is
     * @param bound the binding is complete
     * @param leaving has a deletion timestamp
     * @param storageClass spec.storageClassName; empty where none is
     * @param oncePod ReadWriteOncePod is among the access modes: one pod at a time may use it
     * @param accessModes spec.accessModes, sorted
     * @param bytes storage asked for
     * @param selector all must hold for a volume's labels
     * @param selectedNode where a volume is being made for it (annotation volume.kubernetes.io/selected-node); empty where none is
     * @param block spec.volumeMode is Block
     * @param refusedNodes nodes for which its provisioner made none, latest last
     * @param pod uid of the pod whose ephemeral volume it is; empty for other claims
     */
    record Claim(
            String volume,
            boolean bound,
            boolean leaving,
            String storageClass,
            boolean oncePod,
            List<String> accessModes,
            long bytes,
            List<NodeExpression> selector,
            String selectedNode,
            boolean block,
            List<String> refusedNodes,
            String pod)
            implements Storage {
        private static final int MOST_REFUSED = 16;
        private static final List<String> FOR_MANY_NODES = List.of("ReadWriteMany", "ReadOnlyMany");

        public Claim {
            accessModes = List.copyOf(accessModes);
            selector = List.copyOf(selector);
            refusedNodes = List.copyOf(refusedNodes);
        }

        /** A claim that is no pod's own. */
        public Claim(
                String volume,
                boolean bound,
                boolean leaving,
                String storageClass,
                boolean oncePod,
                List<String> accessModes,
                long bytes,
                List<NodeExpression> selector,
                String selectedNode,
                boolean block,
                List<String> refusedNodes) {
            this(
                    volume,
                    bound,
                    leaving,
                    storageClass,
                    oncePod,
                    accessModes,
                    bytes,
                    selector,
                    selectedNode,
                    block,
                    refusedNodes,
                    "");
        }

        /** Whether pods on several nodes may use it at once. */
        public boolean forManyNodes() {
            return FOR_MANY_NODES.stream().anyMatch(accessModes::contains);
        }

        /**
         * What is known of it after what was known before: a provisioner that can make no volume for the selected node takes
         * the annotation away (Kubernetes' volume scheduling design). Of many such nodes the oldest are forgotten.
         */
        public Claim after(Claim before) {
            List<String> refused = new ArrayList<>(bound ? List.of() : before.refusedNodes);
            if (!bound && selectedNode.isEmpty() && !before.selectedNode.isEmpty()) {
                refused.remove(before.selectedNode);
                refused.add(before.selectedNode);
            }
            return new Claim(
                    volume,
                    bound,
                    leaving,
                    storageClass,
                    oncePod,
                    accessModes,
                    bytes,
                    selector,
                    selectedNode,
                    block,
                    refused.subList(Math.max(0, refused.size() - MOST_REFUSED), refused.size()),
                    pod);
        }
    }

    /**
     * A PersistentVolume.
     *
     * @param claim the claim it is bound to or kept for, as namespace/name; empty where none is
     * @param available status.phase is Available or not set yet: it can be bound
     * @param storageClass spec.storageClassName; empty where none is
     * @param accessModes spec.accessModes, sorted
     * @param bytes its capacity
     * @param labels by key; zone and region among them bind it to nodes
     * @param driver CSI driver; empty for a volume that is attached otherwise
     * @param handle what the driver calls it
     * @param nodeTerms required node affinity: one must match; empty means no constraint
     * @param block spec.volumeMode is Block
     */
    record Volume(
            String claim,
            boolean available,
            String storageClass,
            List<String> accessModes,
            long bytes,
            SortedMap<String, String> labels,
            String driver,
            String handle,
            List<NodeTerm> nodeTerms,
            boolean block)
            implements Storage {
        public Volume {
            accessModes = List.copyOf(accessModes);
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            nodeTerms = List.copyOf(nodeTerms);
        }
    }

    /**
     * A StorageClass.
     *
     * @param provisioner who makes its volumes
     * @param waits volumeBindingMode is WaitForFirstConsumer
     * @param topologies allowedTopologies: one must match a node's labels; empty means no constraint
     */
    record Class(String provisioner, boolean waits, List<NodeTerm> topologies) implements Storage {
        /** The provisioner of classes whose volumes somebody makes by hand, such as local ones. */
        private static final String NOBODY = "kubernetes.io/no-provisioner";

        public Class {
            topologies = List.copyOf(topologies);
        }

        /** Whether volumes are made when they are needed. */
        public boolean provisions() {
            return !provisioner.isEmpty() && !provisioner.equals(NOBODY);
        }
    }

    /**
     * A CSINode: what the CSI drivers of the node of its name can do.
     *
     * @param limits volumes that can be attached, by driver, sorted; a driver without a limit is not among them
     */
    record CsiNode(List<Amount> limits) implements Storage {
        public CsiNode {
            limits = List.copyOf(limits);
        }
    }
}
