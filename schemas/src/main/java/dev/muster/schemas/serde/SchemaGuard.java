package dev.muster.schemas.serde;

import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * Refuses schemas that a stranger could have made to cost more than the bytes of the value: decoding takes steps and
 * stack in proportion to the value only if no type contains itself, nesting is bounded, and every value, null in a
 * union included, takes at least a byte.
 */
final class SchemaGuard {
    static final int MAX_DEPTH = 64;

    private static final int UNFINISHED = -1;

    // How deep each record type goes; UNFINISHED while the type is being looked at.
    private final Map<String, Integer> depths = new HashMap<>();

    private SchemaGuard() {}

    /** The reason why values of this schema are not decoded, or null when they are. */
    static String objection(Schema schema) {
        try {
            new SchemaGuard().depth(schema, 0);
            return null;
        } catch (Objection e) {
            return e.getMessage();
        }
    }

    private int depth(Schema schema, int above) {
        if (above > MAX_DEPTH) {
            throw new Objection("types are nested more than " + MAX_DEPTH + " deep");
        }
        return switch (schema.getType()) {
            case RECORD -> named(schema, above);
            case ARRAY -> 1 + depth(schema.getElementType(), above + 1);
            case MAP -> 1 + depth(schema.getValueType(), above + 1);
            case UNION -> union(schema, above);
            case NULL -> throw new Objection("null outside a union takes no bytes");
            case FIXED -> {
                if (schema.getFixedSize() == 0) {
                    throw new Objection("type " + schema.getFullName() + " takes no bytes");
                }
                yield 0;
            }
            default -> 0;
        };
    }

    private int union(Schema schema, int above) {
        int deepest = 0;
        for (Schema branch : schema.getTypes()) {
            if (branch.getType() != Schema.Type.NULL) {
                deepest = Math.max(deepest, 1 + depth(branch, above + 1));
            }
        }
        return deepest;
    }

    private int named(Schema schema, int above) {
        String name = schema.getFullName();
        Integer known = depths.putIfAbsent(name, UNFINISHED);
        if (known != null) {
            if (known == UNFINISHED) {
                throw new Objection("type " + name + " contains itself");
            }
            if (above + known > MAX_DEPTH) {
                throw new Objection("types are nested more than " + MAX_DEPTH + " deep");
            }
            return known;
        }
        if (schema.getFields().isEmpty()) {
            throw new Objection("type " + name + " takes no bytes");
        }
        int deepest = 0;
        for (Schema.Field field : schema.getFields()) {
            deepest = Math.max(deepest, 1 + depth(field.schema(), above + 1));
        }
        depths.put(name, deepest);
        return deepest;
    }

    private static final class Objection extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Objection(String message) {
            super(message, null, false, false);
        }
    }
}
