package dev.muster.standalone.cli;

import java.math.BigDecimal;

/** Amounts as people and programs read them. */
final class Amounts {
    private Amounts() {}

    /** Thousandths as a decimal without trailing zeros: 1500 is 1.5. */
    static BigDecimal thousandths(long milli) {
        BigDecimal value = BigDecimal.valueOf(milli, 3).stripTrailingZeros();
        return value.scale() < 0 ? value.setScale(0) : value;
    }

    /** A share in whole per cent; empty where there is nothing to share. */
    static String percent(long part, long whole) {
        return whole <= 0 ? "" : 100 * part / whole + "%";
    }
}
