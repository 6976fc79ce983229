package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Workloads that go in the order in which their queues give back: each has to have been let go in its turn. */
abstract class InTurn implements VictimRule {
    private final QuotaTree tree;
    private final List<Spare> order;
    /** Only looked up. */
    private final Map<Spare, Integer> turns = new HashMap<>();

    InTurn(QuotaTree tree, List<Spare> order) {
        this.tree = tree;
        this.order = List.copyOf(order);
        order.forEach(spare -> turns.put(spare, turns.size()));
    }

    /** Those of each queue: lower priority first, then who started last (Kueue, order of candidates). */
    static TreeMap<Id, List<Spare>> byQueue(List<Spare> candidates, Function<Spare, Id> queueOf) {
        TreeMap<Id, List<Spare>> byQueue = new TreeMap<>();
        candidates.stream()
                .sorted(Comparator.comparingInt(Spare::priority)
                        .thenComparing(
                                Comparator.comparingLong(Spare::savedMillis).reversed())
                        .thenComparing(spare -> spare.workload().id()))
                .forEach(spare -> byQueue.computeIfAbsent(queueOf.apply(spare), id -> new ArrayList<>())
                        .add(spare));
        return byQueue;
    }

    /**
     * Whether those that are off may go, one after the other, by how queues stand then: who came back may have changed what
     * others were let go by.
     *
     * @param lets whether so much of one may go, asked while it is still charged
     */
    boolean stands(BiPredicate<Spare, SortedMap<FlavorResource, Long>> lets) {
        List<Spare> hit =
                order.stream().filter(spare -> !spare.gone().isEmpty()).toList();
        List<SortedMap<FlavorResource, Long>> amounts =
                hit.stream().map(Spare::amountsGone).toList();
        for (int i = 0; i < hit.size(); i++) {
            tree.chargeAll(hit.get(i).workload().queueRef().name(), amounts.get(i), 1);
        }
        boolean stands = true;
        for (int i = 0; i < hit.size(); i++) {
            stands &= lets.test(hit.get(i), amounts.get(i));
            tree.chargeAll(hit.get(i).workload().queueRef().name(), amounts.get(i), -1);
        }
        return stands;
    }

    @Override
    public List<Spare> spares() {
        return order;
    }

    @Override
    public Comparator<Spare> dearestFirst() {
        return Comparator.comparingInt(this::turn).reversed();
    }

    @Override
    public int turn(Spare spare) {
        return turns.get(spare);
    }

    @Override
    public boolean byNodes() {
        return false;
    }
}
