package dev.muster.ingest.map;

import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** RFC 3339 times of object metadata. */
final class Timestamps {

    static final long YEAR_9999_MILLIS = 253_402_300_799_999L;

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

    /** So many seconds after a time, epoch milliseconds, at most the last of year 9999; 0 where there is no time. */
    static long after(long millis, long seconds) {
        long most = (YEAR_9999_MILLIS - Math.min(millis, YEAR_9999_MILLIS)) / 1000;
        return millis == 0 ? 0 : millis + Math.min(Math.max(0, seconds), most) * 1000;
    }
}
