package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Keeps the numbers in the status of disruption budgets up to date. Evictions do not rely on them. */
final class DisruptionController implements Controller {

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final DisruptionBudgets budgets;

    DisruptionController(VersionedStore store, ObjectWriter writer, DisruptionBudgets budgets) {
        this.store = store;
        this.writer = writer;
        this.budgets = budgets;
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        if (change.kind().equals(ResourceKinds.DISRUPTION_BUDGETS)) {
            return change.type() == Change.Type.DELETED ? List.of() : List.of(change.key());
        }
        if (!change.kind().equals(ResourceKinds.PODS)) {
            return List.of();
        }
        Set<ObjectKey> keys = new LinkedHashSet<>();
        budgets.of(change.after()).forEach(budget -> keys.add(budget.key()));
        if (change.before() != null) {
            budgets.of(change.before()).forEach(budget -> keys.add(budget.key()));
        }
        return keys;
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        store.locked(() -> {
            StoredObject budget = store.get(ResourceKinds.DISRUPTION_BUDGETS, key);
            return budget == null
                    ? null
                    : writer.edit(ResourceKinds.DISRUPTION_BUDGETS, key, before -> {
                        ObjectNode after = Json.thaw(before);
                        Json.thawChild(after, "status");
                        budgets.status(after, budgets.standing(budget));
                        return after;
                    });
        });
        return Optional.empty();
    }
}
