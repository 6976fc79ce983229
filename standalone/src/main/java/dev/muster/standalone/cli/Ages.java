package dev.muster.standalone.cli;

import java.time.Duration;

/** Durations as kubectl prints them (k8s.io/apimachinery/pkg/util/duration, HumanDuration). */
public final class Ages {
    private Ages() {}

    /** Such as {@code 45s}, {@code 3m12s}, {@code 5h}, {@code 3d4h}; {@code <invalid>} for more than a second in the future. */
    public static String of(Duration age) {
        long seconds = age.toMillis() / 1000;
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        if (hours < 24 * 8) {
            return two(hours / 24, "d", hours % 24, "h");
        }
        if (hours < 24 * 365 * 2) {
            return hours / 24 + "d";
        }
        if (hours < 24 * 365 * 8) {
            return two(hours / 24 / 365, "y", hours / 24 % 365, "d");
        }
        return hours / 24 / 365 + "y";
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
    }
}
