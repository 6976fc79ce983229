package dev.muster.standalone.scenario;

/** Simulated time as scenario files write it. */
public final class SimulatedTime {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    private SimulatedTime() {}

    /** {@code 1m30s}, {@code 250ms}, {@code 0s}. */
    public static String text(long millis) {
        if (millis == 0) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        part(text, millis / HOUR, "h");
        part(text, millis % HOUR / MINUTE, "m");
        part(text, millis % MINUTE / SECOND, "s");
        part(text, millis % SECOND, "ms");
        return text.toString();
    }

    private static void part(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(amount).append(unit);
        }
    }
}
