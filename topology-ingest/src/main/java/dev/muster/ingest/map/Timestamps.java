package dev.muster.ingest.map;

import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** RFC 3339 times of object metadata. */
final class Timestamps {

    private Timestamps() {}

    /** Epoch milliseconds; 0 when there is none or it cannot be read. */
    static long millis(String text) {
        if (text == null) {
            return 0;
        }
        try {
            return Math.max(0, OffsetDateTime.parse(text).toInstant().toEpochMilli());
        } catch (DateTimeParseException | ArithmeticException e) {
            return 0;
        }
    }
}
