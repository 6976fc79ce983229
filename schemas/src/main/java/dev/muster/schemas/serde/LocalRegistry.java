package dev.muster.schemas.serde;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** A registry in memory, without subjects' rules: for tests, for reading a data directory, for {@code TopologyTestDriver}. Ids count from 1. */
public final class LocalRegistry implements SchemaRegistry {
    private final List<Schema> schemas = new ArrayList<>();
    private final Map<Schema, Integer> known = new IdentityHashMap<>();
    private final Map<String, Integer> byText = new HashMap<>();

    @Override
    public synchronized int register(String subject, Schema schema) {
        return known.computeIfAbsent(
                schema,
                s -> byText.computeIfAbsent(s.toString(), text -> {
                    schemas.add(s);
                    return schemas.size();
                }));
    }

    @Override
    public synchronized Schema byId(int id) {
        if (id < 1 || id > schemas.size()) {
            throw new SchemaNotFoundException("schema " + id + " is not registered");
        }
        return schemas.get(id - 1);
    }
}
