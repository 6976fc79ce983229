package dev.muster.scheduler.core.numa;

import dev.muster.scheduler.core.model.AlignedContainer;
import dev.muster.scheduler.core.model.AlignedContainer.Kind;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.NumaShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A machine for tests, from a text: zones are separated by {@code |}, amounts in a zone are {@code resource=free} or {@code
 * resource=free/capacity}. Pods are containers separated by {@code |}, each with {@code init:} or {@code sidecar:} before its
 * amounts, or nothing.
 */
final class Machine {
    private final TopologyManager manager;
    private final long[] free;

    Machine(String policy, String scope, String zones) {
        List<NumaFacts.Zone> list = new ArrayList<>();
        List<List<Amount>> left = new ArrayList<>();
        for (String zone : zones.split("\\|", -1)) {
            List<Amount> capacity = new ArrayList<>();
            List<Amount> available = new ArrayList<>();
            for (String amount : zone.trim().split(" +")) {
                if (!amount.isEmpty()) {
                    String[] parts = amount.split("[=/]");
                    available.add(new Amount(parts[0], Long.parseLong(parts[1])));
                    capacity.add(new Amount(parts[0], Long.parseLong(parts[parts.length - 1])));
                }
            }
            list.add(new NumaFacts.Zone("node-" + list.size(), capacity, capacity, available, List.of()));
            left.add(available);
        }
        this.manager = TopologyManager.of(new NumaFacts(policy, scope, list));
        this.free = new long[manager.layout().cells()];
        for (int zone = 0; zone < left.size(); zone++) {
            for (Amount amount : left.get(zone)) {
                free[manager.layout().cell("node-" + zone, amount.resource())] = amount.amount();
            }
        }
    }

    private static AlignedContainer container(String text) {
        Kind kind = text.contains("init:") ? Kind.INIT : text.contains("sidecar:") ? Kind.SIDECAR : Kind.MAIN;
        String amounts = text.substring(text.indexOf(':') + 1).trim();
        return new AlignedContainer(
                kind,
                Arrays.stream(amounts.split(" +"))
                        .map(amount -> amount.split("="))
                        .map(parts -> new Amount(parts[0], Long.parseLong(parts[1])))
                        .toList());
    }

    static List<AlignedContainer> pod(String containers) {
        return Arrays.stream(containers.split("\\|")).map(Machine::container).toList();
    }

    /** What the pod gets, as {@code 0: cpu=2 gpu=1; 1: gpu=1}; "refused" where the kubelet does not admit it. */
    String verdict(String containers) {
        NumaDemand demand = new NumaDemand(pod(containers), manager.layout());
        if (!manager.admits(demand, free)) {
            return "refused";
        }
        return manager.placement().shares().stream()
                .collect(Collectors.groupingBy(
                        NumaShare::zone,
                        java.util.TreeMap::new,
                        Collectors.mapping(share -> share.resource() + "=" + share.amount(), Collectors.joining(" "))))
                .entrySet()
                .stream()
                .map(zone -> zone.getKey().substring("node-".length()) + ": " + zone.getValue())
                .collect(Collectors.joining("; "));
    }

    static List<Label> costs(int... distances) {
        List<Label> costs = new ArrayList<>();
        for (int distance : distances) {
            costs.add(new Label("node-" + costs.size(), Integer.toString(distance)));
        }
        return costs;
    }
}
