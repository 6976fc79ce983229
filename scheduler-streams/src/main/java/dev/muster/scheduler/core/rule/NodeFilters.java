package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.model.Toleration;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;

/** The built-in filters. */
final class NodeFilters {
    private static final Taint UNSCHEDULABLE = new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

    private static final Taint NOT_READY = new Taint("node.kubernetes.io/not-ready", "", Taint.NO_SCHEDULE);
    private static final NodeAffinity AFFINITY = new NodeAffinity();

    private NodeFilters() {}

    /** A pod that names a member cluster runs there and nowhere else. */
    record Cluster() implements FilterRule {
        @Override
        public String name() {
            return "Cluster";
        }

        @Override
        public boolean classOnly() {
            return false;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            String wanted = requirement.requirement().cluster();
            return wanted.isEmpty() || wanted.equals(node.id().cluster());
        }

        @Override
        public String subject(InternedRequirement requirement, NodeState node) {
            return requirement.requirement().cluster();
        }
    }

    /** A node whose kubelet does not report Ready gets nothing (kube-scheduler relies on the not-ready taint for this). */
    record Ready() implements FilterRule {
        @Override
        public String name() {
            return "NodeReady";
        }

        @Override
        public boolean classOnly() {
            return false;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            return node.facts().ready();
        }
    }

    /** A cordoned node takes only pods that tolerate the unschedulable taint (kube-scheduler NodeUnschedulable). */
    record Unschedulable() implements FilterRule {
        @Override
        public String name() {
            return "NodeUnschedulable";
        }

        @Override
        public boolean classOnly() {
            return false;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            return !node.facts().cordoned() || tolerates(requirement, UNSCHEDULABLE);
        }
    }

    /** A node with a signal that closes all its GPUs gets no pod that asks for any. */
    record GpuHealth() implements FilterRule {
        @Override
        public String name() {
            return "GpuHealth";
        }

        @Override
        public boolean classOnly() {
            return false;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            boolean asksGpus = requirement.gpus() > 0 || requirement.sharesGpu();
            return !asksGpus || !node.worstSignal().closes();
        }

        @Override
        public String subject(InternedRequirement requirement, NodeState node) {
            return node.trouble(true);
        }
    }

    /** Memory of a shared GPU is asked for: the node's GPUs must be known to have as much. */
    record GpuMemory() implements FilterRule {
        @Override
        public String name() {
            return "GpuMemory";
        }

        @Override
        public boolean classOnly() {
            return true;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            int asked = requirement.requirement().gpuMemoryMib();
            return asked == 0 || asked <= node.gpuMemoryMib();
        }

        @Override
        public String subject(InternedRequirement requirement, NodeState node) {
            return node.gpuMemoryMib() == 0 ? "unknown" : node.gpuMemoryMib() + " MiB";
        }
    }

    /** No port that the pod takes on its node may be taken there (kube-scheduler NodePorts). */
    record HostPorts() implements FilterRule {
        @Override
        public String name() {
            return "HostPorts";
        }

        @Override
        public boolean classOnly() {
            return false;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            return node.portConflict(requirement) == null;
        }

        @Override
        public String subject(InternedRequirement requirement, NodeState node) {
            HostPort taken = node.portConflict(requirement);
            return taken == null ? "" : taken.protocol() + " " + taken.port();
        }
    }

    /** spec.nodeSelector: every entry must be a label of the node. */
    record NodeSelector() implements FilterRule {
        @Override
        public String name() {
            return "NodeSelector";
        }

        @Override
        public boolean classOnly() {
            return true;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            return missing(requirement, node) == null;
        }

        @Override
        public String subject(InternedRequirement requirement, NodeState node) {
            Label missing = missing(requirement, node);
            return missing == null ? "" : missing.key() + "=" + missing.value();
        }

        private static Label missing(InternedRequirement requirement, NodeState node) {
            for (Label wanted : requirement.requirement().nodeSelector()) {
                if (!wanted.value().equals(node.facts().labels().get(wanted.key()))) {
                    return wanted;
                }
            }
            return null;
        }
    }

    /** Required node affinity: one of the terms must match (kube-scheduler NodeAffinity). */
    record NodeAffinity() implements FilterRule {
        @Override
        public String name() {
            return "NodeAffinity";
        }

        @Override
        public boolean classOnly() {
            return true;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            if (requirement.requirement().requiredTerms().isEmpty()) {
                return true;
            }
            for (NodeTerm term : requirement.requirement().requiredTerms()) {
                if (term.matches(node.facts().labels(), node.id().name())) {
                    return true;
                }
            }
            return false;
        }
    }

    /** NoSchedule and NoExecute taints must be tolerated (kube-scheduler TaintToleration). */
    record Taints() implements FilterRule {
        @Override
        public String name() {
            return "Taints";
        }

        @Override
        public boolean classOnly() {
            return true;
        }

        @Override
        public boolean passes(InternedRequirement requirement, NodeState node) {
            return untolerated(requirement, node) == null;
        }

        @Override
        public String subject(InternedRequirement requirement, NodeState node) {
            Taint taint = untolerated(requirement, node);
            return taint == null ? "" : taint.key();
        }

        private static Taint untolerated(InternedRequirement requirement, NodeState node) {
            for (Taint taint : node.facts().taints()) {
                if (taint.forbids() && !tolerates(requirement, taint)) {
                    return taint;
                }
            }
            return null;
        }
    }

    /** Whether the node is one that the pod's node selector and required node affinity allow. */
    static boolean selects(InternedRequirement requirement, NodeState node) {
        return NodeSelector.missing(requirement, node) == null && AFFINITY.passes(requirement, node);
    }

    /**
     * Whether the pod tolerates all taints of the node that keep pods away, also those that Kubernetes' node controller puts
     * on a node that is cordoned or not ready.
     */
    static boolean toleratesAll(InternedRequirement requirement, NodeState node) {
        return Taints.untolerated(requirement, node) == null
                && (!node.facts().cordoned() || tolerates(requirement, UNSCHEDULABLE))
                && (node.facts().ready() || tolerates(requirement, NOT_READY));
    }

    static boolean tolerates(InternedRequirement requirement, Taint taint) {
        for (Toleration toleration : requirement.requirement().tolerations()) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }
}
