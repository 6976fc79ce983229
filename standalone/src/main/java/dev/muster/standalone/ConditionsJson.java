package dev.muster.standalone;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.status.Condition;
import java.util.stream.Stream;

/** Conditions as programs read them, in whatever is printed of a workload. */
public final class ConditionsJson {
    private ConditionsJson() {}

    /** Adds them as {@code conditions}: type, status as Kubernetes writes it, reason, message, sinceMillis. */
    public static void put(ObjectNode json, Stream<Condition> conditions) {
        ArrayNode all = json.putArray("conditions");
        conditions.forEach(condition -> all.addObject()
                .put("type", condition.type())
                .put("status", condition.status() ? "True" : "False")
                .put("reason", condition.reason())
                .put("message", condition.message())
                .put("sinceMillis", condition.sinceMillis()));
    }
}
