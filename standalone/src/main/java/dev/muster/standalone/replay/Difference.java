package dev.muster.standalone.replay;

import java.util.List;

/**
 * A place where the topic does not say what the replay says.
 *
 * @param kind what kind of difference
 * @param index number of the decision among those replayed, from 0
 * @param id id of the decision, {@code domain:sequence:ordinal}; empty where it cannot be read
 * @param offset offset on topic decisions; -1 where the decision is missing there
 * @param message one sentence
 * @param fields the fields that differ, at most {@link #MOST_FIELDS}
 */
public record Difference(Kind kind, long index, String id, long offset, String message, List<Field> fields) {
    /** Most fields that are named. */
    public static final int MOST_FIELDS = 20;

    public Difference {
        fields = List.copyOf(fields);
    }

    /** What kind of difference. */
    public enum Kind {
        /** Both are there and say different things. */
        DIFFERENT,
        /** The journal gives it, the topic lacks it. */
        MISSING,
        /** The topic has it, the journal does not give it. */
        EXTRA,
        /** The topic's bytes cannot be read, or do not fit their checksum. */
        DAMAGED
    }

    /** One field: path, what the replay says, what the topic says. */
    public record Field(String path, String replayed, String recorded) {}
}
