package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SpreadConstraint;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.model.Toleration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which rules keep a pod from a node, read straight from the Kubernetes documentation and looked up nowhere: for each question
 * every node and every pod is walked. Slow on purpose, and shares no code with what it judges.
 *
 * @param nodes by name
 * @param namespaces labels by namespace
 */
record NaiveRules(Map<String, NodeFacts> nodes, List<Placed> pods, Map<String, Map<String, String>> namespaces) {

    /** A pod that has a node, or is to get one. */
    record Placed(String namespace, PodFacts facts) {
        Requirement wants() {
            return facts.requirement();
        }

        boolean on(String node) {
            return facts.node().equals(node);
        }

        boolean holdsRoom() {
            return !facts.phase().equals("Succeeded") && !facts.phase().equals("Failed");
        }
    }

    /** The names of all rules that the node breaks. */
    TreeSet<String> broken(Placed pod, String name) {
        TreeSet<String> broken = new TreeSet<>();
        NodeFacts node = nodes.get(name);
        add(broken, "NodeReady", node.ready());
        add(broken, "NodeUnschedulable", !node.cordoned() || toleratesUnschedulable(pod));
        add(broken, "NodeSelector", selectorMatches(pod.wants(), node));
        add(broken, "NodeAffinity", affinityMatches(pod.wants(), node, name));
        add(broken, "Taints", taintsTolerated(pod.wants(), node));
        add(broken, "HostPorts", portsFree(pod, name));
        add(broken, "Resources", resourcesFree(pod, name));
        add(broken, "PodAffinity", podAffinityHolds(pod, node));
        add(broken, "PodAntiAffinity", antiAffinityHolds(pod, node));
        for (SpreadConstraint constraint : pod.wants().pods().spread()) {
            if (constraint.required() && !node.labels().containsKey(constraint.topologyKey())) {
                broken.add("TopologySpreadLabel");
            } else if (constraint.required() && !spreadHolds(pod, constraint, node)) {
                broken.add("TopologySpread");
            }
        }
        return broken;
    }

    private static void add(TreeSet<String> broken, String rule, boolean holds) {
        if (!holds) {
            broken.add(rule);
        }
    }

    // ---- nodes

    private static boolean toleratesUnschedulable(Placed pod) {
        return tolerated(pod.wants(), new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule"));
    }

    private static boolean selectorMatches(Requirement pod, NodeFacts node) {
        return pod.nodeSelector().stream()
                .allMatch(wanted -> wanted.value().equals(node.labels().get(wanted.key())));
    }

    /** One of the nodeSelectorTerms; all matchExpressions and matchFields of it; a term without any matches nothing. */
    private static boolean affinityMatches(Requirement pod, NodeFacts node, String name) {
        if (pod.requiredTerms().isEmpty()) {
            return true;
        }
        for (NodeTerm term : pod.requiredTerms()) {
            boolean all = !term.expressions().isEmpty();
            for (NodeExpression expression : term.expressions()) {
                String value = expression.onField() ? name : node.labels().get(expression.key());
                all &= matches(expression, value);
            }
            if (all) {
                return true;
            }
        }
        return false;
    }

    /** NotIn and DoesNotExist also match where there is no such label; Gt and Lt compare whole numbers. */
    private static boolean matches(NodeExpression expression, String value) {
        if (expression.operator().equals("DoesNotExist")) {
            return value == null;
        }
        if (expression.operator().equals("NotIn")) {
            return value == null || !expression.values().contains(value);
        }
        if (value == null) {
            return false;
        }
        if (expression.operator().equals("Exists")) {
            return true;
        }
        if (expression.operator().equals("In")) {
            return expression.values().contains(value);
        }
        if (!value.matches("-?[0-9]+")) {
            return false;
        }
        long number = Long.parseLong(value);
        long bound = Long.parseLong(expression.values().get(0));
        return expression.operator().equals("Gt") ? number > bound : number < bound;
    }

    private static boolean taintsTolerated(Requirement pod, NodeFacts node) {
        for (Taint taint : node.taints()) {
            if (!taint.effect().equals("PreferNoSchedule") && !tolerated(pod, taint)) {
                return false;
            }
        }
        return true;
    }

    /** An empty key with Exists matches every taint, an empty effect every effect; Equal compares values. */
    private static boolean tolerated(Requirement pod, Taint taint) {
        for (Toleration toleration : pod.tolerations()) {
            boolean effect =
                    toleration.effect().isEmpty() || toleration.effect().equals(taint.effect());
            boolean exists = toleration.operator().equals("Exists");
            boolean key =
                    toleration.key().equals(taint.key()) || toleration.key().isEmpty() && exists;
            if (effect && key && (exists || toleration.value().equals(taint.value()))) {
                return true;
            }
        }
        return false;
    }

    private boolean portsFree(Placed pod, String node) {
        for (Placed other : pods) {
            if (!other.on(node) || !other.holdsRoom()) {
                continue;
            }
            for (HostPort theirs : other.wants().hostPorts()) {
                for (HostPort ours : pod.wants().hostPorts()) {
                    boolean sameIp = theirs.ip().equals(ours.ip())
                            || theirs.ip().equals("0.0.0.0")
                            || ours.ip().equals("0.0.0.0");
                    if (theirs.port() == ours.port() && theirs.protocol().equals(ours.protocol()) && sameIp) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean resourcesFree(Placed pod, String node) {
        Map<String, Long> free = new HashMap<>();
        nodes.get(node).allocatable().forEach(amount -> free.put(amount.resource(), amount.amount()));
        for (Placed other : pods) {
            if (other.on(node) && other.holdsRoom()) {
                other.wants().requests().forEach(used -> free.merge(used.resource(), -used.amount(), Long::sum));
            }
        }
        for (Amount wanted : pod.wants().requests()) {
            if (free.getOrDefault(wanted.resource(), 0L) < wanted.amount()) {
                return false;
            }
        }
        return true;
    }

    // ---- other pods

    private boolean selects(PodTerm term, Placed pod) {
        boolean namespace = term.namespaces().contains(pod.namespace());
        if (term.byLabels()) {
            namespace |= labelsMatch(term.namespaceSelector(), namespaces.getOrDefault(pod.namespace(), Map.of()));
        }
        return namespace && labelsMatch(term.selector(), pod.facts().labels());
    }

    private static boolean labelsMatch(List<NodeExpression> selector, Map<String, String> labels) {
        return selector.stream().allMatch(expression -> matches(expression, labels.get(expression.key())));
    }

    private boolean samePlace(Placed other, String key, NodeFacts node) {
        String theirs = nodes.get(other.facts().node()).labels().get(key);
        return theirs != null && theirs.equals(node.labels().get(key));
    }

    /**
     * Each term needs, at the node's place, a pod that all terms select. The first pod of its kind may go anywhere that has the
     * topology keys: no pod anywhere is selected by all terms at a place, and the pod is selected by all itself.
     */
    private boolean podAffinityHolds(Placed pod, NodeFacts node) {
        List<PodTerm> terms = pod.wants().pods().affinity();
        boolean all = true;
        boolean anywhere = false;
        for (PodTerm term : terms) {
            boolean found = false;
            for (Placed other : pods) {
                if (other.holdsRoom() && terms.stream().allMatch(each -> selects(each, other))) {
                    found |= samePlace(other, term.topologyKey(), node);
                    anywhere |= nodes.get(other.facts().node()).labels().containsKey(term.topologyKey());
                }
            }
            all &= found;
        }
        if (all) {
            return true;
        }
        boolean keys = terms.stream().allMatch(term -> node.labels().containsKey(term.topologyKey()));
        boolean itself = terms.stream().allMatch(term -> selects(term, pod));
        return !anywhere && keys && itself;
    }

    private boolean antiAffinityHolds(Placed pod, NodeFacts node) {
        for (Placed other : pods) {
            if (!other.holdsRoom()) {
                continue;
            }
            for (PodTerm term : pod.wants().pods().antiAffinity()) {
                if (selects(term, other) && samePlace(other, term.topologyKey(), node)) {
                    return false;
                }
            }
            for (PodTerm term : other.wants().pods().antiAffinity()) {
                if (selects(term, pod) && samePlace(other, term.topologyKey(), node)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean spreadHolds(Placed pod, SpreadConstraint constraint, NodeFacts node) {
        Map<String, Integer> places = new HashMap<>();
        for (Map.Entry<String, NodeFacts> other : nodes.entrySet()) {
            if (takesPart(pod, constraint, other.getKey(), other.getValue())) {
                places.merge(
                        other.getValue().labels().get(constraint.topologyKey()),
                        counted(constraint, other.getKey()),
                        Integer::sum);
            }
        }
        int fewest = places.size() < constraint.minDomains()
                ? 0
                : places.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        int there = places.getOrDefault(node.labels().get(constraint.topologyKey()), 0);
        boolean itself = constraint.namespace().equals(pod.namespace())
                && labelsMatch(constraint.selector(), pod.facts().labels());
        return there + (itself ? 1 : 0) - fewest <= constraint.maxSkew();
    }

    private static boolean takesPart(Placed pod, SpreadConstraint constraint, String name, NodeFacts node) {
        for (SpreadConstraint each : pod.wants().pods().spread()) {
            if (each.required() && !node.labels().containsKey(each.topologyKey())) {
                return false;
            }
        }
        boolean allowed = selectorMatches(pod.wants(), node) && affinityMatches(pod.wants(), node, name);
        boolean cordon = node.cordoned() && !toleratesUnschedulable(pod);
        boolean notReady =
                !node.ready() && !tolerated(pod.wants(), new Taint("node.kubernetes.io/not-ready", "", "NoSchedule"));
        boolean tainted = !taintsTolerated(pod.wants(), node) || cordon || notReady;
        return (!constraint.honorAffinity() || allowed) && (!constraint.honorTaints() || !tainted);
    }

    private int counted(SpreadConstraint constraint, String node) {
        int counted = 0;
        for (Placed other : pods) {
            boolean counts = other.on(node)
                    && other.holdsRoom()
                    && !other.facts().deleting()
                    && constraint.namespace().equals(other.namespace())
                    && labelsMatch(constraint.selector(), other.facts().labels());
            counted += counts ? 1 : 0;
        }
        return counted;
    }
}
