package dev.muster.scheduler.core.numa;

import dev.muster.scheduler.core.model.AlignedContainer;
import dev.muster.scheduler.core.model.AlignedContainer.Kind;
import dev.muster.scheduler.core.model.Amount;
import java.util.ArrayList;
import java.util.List;

/** What the containers of a pod ask of a node's NUMA nodes: amounts by the numbers that a layout gives to resources. */
public final class NumaDemand {
    private final List<Kind> kinds = new ArrayList<>();
    private final List<long[]> amounts = new ArrayList<>();
    private final long[] ofPod;

    /** What of these containers concerns nodes with that layout: resources that no zone reports are nobody's to align. */
    public NumaDemand(List<AlignedContainer> containers, NumaLayout layout) {
        for (AlignedContainer container : containers) {
            long[] asked = new long[layout.resources()];
            boolean any = false;
            for (Amount amount : container.requests()) {
                int resource = layout.resource(amount.resource());
                if (resource >= 0) {
                    asked[resource] = amount.amount();
                    any = true;
                }
            }
            if (any) {
                kinds.add(container.kind());
                amounts.add(asked);
            }
        }
        this.ofPod = ofPod(layout.resources());
    }

    /**
     * The request of the pod as a whole, as the kubelet's managers add it up: main containers and sidecars together, or an
     * init container with the sidecars before it where that is more (KEP-753).
     */
    private long[] ofPod(int resources) {
        long[] total = new long[resources];
        for (int resource = 0; resource < resources; resource++) {
            long running = 0;
            long sidecars = 0;
            long peak = 0;
            for (int container = 0; container < kinds.size(); container++) {
                long asked = amounts.get(container)[resource];
                switch (kinds.get(container)) {
                    case INIT -> peak = Math.max(peak, sidecars + asked);
                    case SIDECAR -> sidecars += asked;
                    case MAIN -> running += asked;
                }
            }
            total[resource] = Math.max(peak, running + sidecars);
        }
        return total;
    }

    /** Whether nothing is asked of NUMA nodes. */
    public boolean isEmpty() {
        return kinds.isEmpty();
    }

    int containers() {
        return kinds.size();
    }

    Kind kind(int container) {
        return kinds.get(container);
    }

    /** Amounts by resource. */
    long[] ofContainer(int container) {
        return amounts.get(container);
    }

    /** Amounts by resource. */
    long[] ofPod() {
        return ofPod;
    }
}
