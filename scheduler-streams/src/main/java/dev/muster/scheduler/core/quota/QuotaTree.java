package dev.muster.scheduler.core.quota;

import dev.muster.scheduler.core.quota.QuotaNode.Id;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who may use how much: queues below cohorts of any depth, with what each owns, borrows and lends, and what is used.
 *
 * <p>The rule, for each flavor's resource on its own: a node has left what it owns, plus what its children have left as far
 * as they lend it, minus what is used; it may fall below zero by as much as it may borrow, and the root not at all (Kueue,
 * Cohort and KEP-79). What is kept here says the same from the other side, so that a charge changes only the path upwards as
 * far as it is not covered: a node's <em>quota</em> is what it owns plus what its children lend; its <em>reserve</em> the
 * part of that which it does not lend; its <em>usage</em> what its own workloads use and what its children use beyond their
 * reserves.
 *
 * <p>A cohort that nobody described exists as soon as somebody names it. Where cohorts are below themselves, their queues
 * are {@linkplain #disabled disabled}.
 */
public final class QuotaTree {
    private static final SortedMap<FlavorResource, Long> NOTHING = Collections.emptySortedMap();

    private final TreeMap<FlavorResource, Integer> columns = new TreeMap<>();
    /** What somebody's quota names. */
    private final TreeSet<FlavorResource> owned = new TreeSet<>();

    private final TreeMap<Id, Node> nodes = new TreeMap<>();
    private long version;

    private static final class Node {
        private final QuotaNode described;
        private final List<Node> children = new ArrayList<>();
        private Node parent;
        private boolean disabled;
        private long[] quota;
        private long[] reserve;
        private long[] borrowing;
        private long[] usage;
        /** What its workloads use, and those of all below it. */
        private long[] inAll;
        /** What may be borrowed from it, by resource; null until somebody asks. Only looked up. */
        private Map<String, Long> lendable;

        private Node(QuotaNode described) {
            this.described = described;
        }

        private boolean isAbove(Node other) {
            Node at = other;
            while (at != null && at != this) {
                at = at.parent;
            }
            return at == this;
        }

        private Limits limits(FlavorResource column) {
            return described.limits().getOrDefault(column, Limits.NONE);
        }
    }

    /** A tree in which nothing is used. Of several nodes with one id the last counts. */
    public QuotaTree(Collection<QuotaNode> described) {
        this(described, new TreeMap<>());
    }

    /** A tree in which queues use this. Queues that are not described may use something, too: they limit nothing. */
    public QuotaTree(Collection<QuotaNode> described, SortedMap<String, SortedMap<FlavorResource, Long>> usage) {
        for (QuotaNode node : described) {
            nodes.put(node.id(), new Node(node));
        }
        for (Node node : nodes.values()) {
            owned.addAll(node.described.limits().keySet());
        }
        TreeSet<FlavorResource> known = new TreeSet<>(owned);
        usage.values().forEach(used -> known.addAll(used.keySet()));
        known.forEach(column -> columns.put(column, columns.size()));
        connect();
        nodes.values().stream().filter(node -> node.parent == null).forEach(this::sumUp);
        usage.forEach((queue, used) -> used.forEach((column, amount) -> charge(queue, column, amount)));
    }

    private void connect() {
        for (Node node : List.copyOf(nodes.values())) {
            String cohort = node.described.parent();
            if (!cohort.isEmpty()) {
                Id id = Id.cohort(cohort);
                node.parent = nodes.computeIfAbsent(
                        id,
                        missing ->
                                new Node(new QuotaNode(missing, "", QuotaNode.DEFAULT_WEIGHT_MILLI, new TreeMap<>())));
            }
        }
        for (Node node : nodes.values()) {
            node.disabled = endless(node);
        }
        for (Node node : nodes.values()) {
            if (node.disabled) {
                node.parent = null;
            } else if (node.parent != null) {
                node.parent.children.add(node);
            }
        }
    }

    /** Whether the way up never ends. */
    private boolean endless(Node node) {
        int steps = 0;
        for (Node at = node; at != null; at = at.parent) {
            if (++steps > nodes.size()) {
                return true;
            }
        }
        return false;
    }

    private void sumUp(Node node) {
        node.quota = new long[columns.size()];
        node.reserve = new long[columns.size()];
        node.borrowing = new long[columns.size()];
        node.usage = new long[columns.size()];
        node.inAll = new long[columns.size()];
        node.children.forEach(this::sumUp);
        columns.forEach((column, i) -> {
            Limits limits = node.limits(column);
            long quota = limits.nominal();
            for (Node child : node.children) {
                quota = plus(quota, child.quota[i] - child.reserve[i]);
            }
            node.quota[i] = quota;
            node.borrowing[i] = limits.borrowing();
            node.reserve[i] = limits.lending() == Limits.UNLIMITED ? 0 : Math.max(0, quota - limits.lending());
        });
    }

    private static long plus(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Whether the queue is described. */
    public boolean knows(String queue) {
        return nodes.containsKey(Id.queue(queue));
    }

    /** Whether a node is in a cohort that is below itself, so that nothing may be admitted there. */
    public boolean disabled(Id id) {
        Node node = nodes.get(id);
        return node != null && node.disabled;
    }

    /** All nodes, by kind and name. */
    public Collection<Id> ids() {
        return List.copyOf(nodes.keySet());
    }

    /** What is counted at all, sorted. */
    public Collection<FlavorResource> columns() {
        return List.copyOf(columns.keySet());
    }

    /** The node and what it is in, up to the root; empty for one that is not there. */
    public List<Id> path(Id id) {
        List<Id> path = new ArrayList<>();
        for (Node at = nodes.get(id); at != null; at = at.parent) {
            path.add(at.described.id());
        }
        return path;
    }

    /** Charges a queue, or, with a negative amount, gives back. A queue that is not described is charged nothing. */
    public void charge(String queue, FlavorResource column, long amount) {
        Integer i = columns.get(column);
        Node node = nodes.get(Id.queue(queue));
        if (i == null || node == null) {
            return;
        }
        version++;
        for (Node at = node; at != null; at = at.parent) {
            at.inAll[i] += amount;
        }
        long change = amount;
        for (Node at = node; at != null && change != 0; at = at.parent) {
            long beyond = Math.max(0, at.usage[i] - at.reserve[i]);
            at.usage[i] += change;
            change = Math.max(0, at.usage[i] - at.reserve[i]) - beyond;
        }
    }

    /** How much more a queue may use now; below zero when it uses more than it may, 0 where it has no say. */
    public long available(String queue, FlavorResource column) {
        Integer i = columns.get(column);
        Node node = nodes.get(Id.queue(queue));
        return i == null || node == null || node.disabled ? 0 : available(node, i);
    }

    private static long available(Node node, int i) {
        if (node.parent == null) {
            return node.quota[i] - node.usage[i];
        }
        long above = available(node.parent, i);
        long borrowing = node.borrowing[i];
        if (borrowing != Limits.UNLIMITED) {
            long used = Math.max(0, node.usage[i] - node.reserve[i]);
            above = Math.min(above, plus(node.quota[i] - node.reserve[i], borrowing) - used);
        }
        return Math.max(0, node.reserve[i] - node.usage[i]) + above;
    }

    /** How much a node could use if nothing were used: what is more can never be admitted. */
    public long potential(Id id, FlavorResource column) {
        Integer i = columns.get(column);
        Node node = nodes.get(id);
        return i == null || node == null || node.disabled ? 0 : potential(node, i);
    }

    private static long potential(Node node, int i) {
        if (node.parent == null) {
            return node.quota[i];
        }
        long all = plus(node.reserve[i], potential(node.parent, i));
        long borrowing = node.borrowing[i];
        return borrowing == Limits.UNLIMITED ? all : Math.min(all, plus(node.quota[i], borrowing));
    }

    /** What a node owns, with what its children lend it. */
    public long quota(Id id, FlavorResource column) {
        return cell(id, column, Cell.QUOTA);
    }

    /** What counts against a node: its workloads' use, and its children's beyond what they keep for themselves. */
    public long usage(Id id, FlavorResource column) {
        return cell(id, column, Cell.USAGE);
    }

    /** What a node's workloads use, and those of all below it, whoever owns it. */
    public long usedInAll(Id id, FlavorResource column) {
        return cell(id, column, Cell.IN_ALL);
    }

    /** What a node uses that is not its own: lent by what it is in. */
    public long borrowed(Id id, FlavorResource column) {
        return Math.max(0, usage(id, column) - quota(id, column));
    }

    /** What a queue has of one flavor's resource, found once and asked often; it follows what is charged later. */
    public static final class Account {
        private final Node node;
        private final int index;

        private Account(Node node, int index) {
            this.node = node;
            this.index = index;
        }

        /** As {@link QuotaTree#available}. */
        public long available() {
            return QuotaTree.available(node, index);
        }

        /** As {@link QuotaTree#potential}. */
        public long potential() {
            return QuotaTree.potential(node, index);
        }

        /** Whether the queue would use more than its own if it used this much more. */
        public boolean borrowsWith(long more) {
            return node.usage[index] + more > node.quota[index];
        }

        /** Whether it would, and each of the cohorts it is in would. */
        public boolean allBorrowWith(long more) {
            for (Node at = node; at != null; at = at.parent) {
                if (at.usage[index] + more <= at.quota[index]) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The account of a queue; null where the queue or the resource is not counted. */
    public Account account(String queue, FlavorResource column) {
        Integer i = columns.get(column);
        Node node = nodes.get(Id.queue(queue));
        return i == null || node == null || node.disabled ? null : new Account(node, i);
    }

    /** A number that rises with each charge. */
    public long version() {
        return version;
    }

    /** What is beside a queue, or beside a cohort that it is in, up to the root: together, all other queues of its tree. */
    public List<Id> beside(String queue) {
        List<Id> beside = new ArrayList<>();
        for (Node at = nodes.get(Id.queue(queue)); at != null && at.parent != null; at = at.parent) {
            for (Node other : at.parent.children) {
                if (other != at) {
                    beside.add(other.described.id());
                }
            }
        }
        return beside;
    }

    /**
     * Queues at or below a node that have more than their own of something, and so has each cohort that they are in, up to the
     * node; by name.
     */
    public SortedSet<String> borrowers(Id from, Collection<FlavorResource> scarce) {
        TreeSet<String> borrowers = new TreeSet<>();
        for (FlavorResource column : scarce) {
            Integer i = columns.get(column);
            if (i != null) {
                addBorrowers(nodes.get(from), i, borrowers);
            }
        }
        return borrowers;
    }

    private static void addBorrowers(Node node, int i, SortedSet<String> borrowers) {
        if (node.usage[i] > node.quota[i]) {
            if (node.described.id().kind() == QuotaNode.Kind.QUEUE) {
                borrowers.add(node.described.id().name());
            }
            node.children.forEach(child -> addBorrowers(child, i, borrowers));
        }
    }

    /** Whether a queue is among those that have more than their own beside another one. */
    public boolean borrowsBeside(String queue, String other, FlavorResource column) {
        Integer i = columns.get(column);
        Node its = nodes.get(Id.queue(other));
        if (i == null || its == null) {
            return false;
        }
        for (Node at = nodes.get(Id.queue(queue)); at != null; at = at.parent) {
            if (at.isAbove(its)) {
                return true;
            }
            if (at.usage[i] <= at.quota[i]) {
                return false;
            }
        }
        return false;
    }

    private enum Cell {
        QUOTA,
        USAGE,
        IN_ALL
    }

    private long cell(Id id, FlavorResource column, Cell cell) {
        Integer i = columns.get(column);
        Node node = nodes.get(id);
        if (i == null || node == null) {
            return 0;
        }
        return switch (cell) {
            case QUOTA -> node.quota[i];
            case USAGE -> node.usage[i];
            case IN_ALL -> node.inAll[i];
        };
    }

    /** The share of a node, if it used this much more. A node without a parent borrows from nobody. */
    public Share share(Id id, SortedMap<FlavorResource, Long> more) {
        Node node = nodes.get(id);
        boolean weightless = node != null && node.described.weightMilli() == 0;
        if (node == null || node.parent == null) {
            return Share.none(weightless);
        }
        Map<String, Long> borrowed = new HashMap<>();
        TreeSet<String> resources = new TreeSet<>();
        columns.forEach((column, i) -> {
            long used = node.usage[i] + more.getOrDefault(column, 0L);
            if (used > node.quota[i] && owned.contains(column)) {
                borrowed.merge(column.resource(), used - node.quota[i], QuotaTree::plus);
                resources.add(column.resource());
            }
        });
        Share largest = new Share(!resources.isEmpty(), 0, weightless, "");
        for (String resource : resources) {
            long lendable = lendable(node.parent).get(resource);
            long value = Share.part(borrowed.get(resource), lendable, node.described.weightMilli());
            if (value > largest.value()) {
                largest = new Share(true, value, weightless, resource);
            }
        }
        return largest;
    }

    /** What the children of a node may borrow at most, by resource. It does not hang on what is used. */
    private Map<String, Long> lendable(Node node) {
        if (node.lendable == null) {
            Map<String, Long> lendable = new HashMap<>();
            columns.forEach((column, i) ->
                    lendable.merge(column.resource(), node.disabled ? 0 : potential(node, i), QuotaTree::plus));
            node.lendable = lendable;
        }
        return node.lendable;
    }

    /** The share of a node, if a queue used this much more. */
    public Share shareWith(Id id, String queue, SortedMap<FlavorResource, Long> more) {
        chargeAll(queue, more, 1);
        Share share = share(id, NOTHING);
        chargeAll(queue, more, -1);
        return share;
    }

    /** Charges a queue so much of each, or, with a negative sign, gives it back. */
    public void chargeAll(String queue, SortedMap<FlavorResource, Long> amounts, int sign) {
        amounts.forEach((column, amount) -> charge(queue, column, sign * amount));
    }
}
