package dev.muster.standalone.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers as people read them. */
final class Text {
    private Text() {}

    /** Thousandths of GPUs as GPUs, without a trailing zero. */
    static String gpus(long gpuMilli) {
        return gpuMilli % 1000 == 0 ? String.valueOf(gpuMilli / 1000) : decimal(gpuMilli / 1000.0);
    }

    static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    static String percent(double part, double whole) {
        return whole == 0 ? "0 %" : String.format(Locale.ROOT, "%.0f %%", 100 * part / whole);
    }

    /** At most {@code length} characters. */
    static String clip(String text, int length) {
        return text.length() <= length ? text : text.substring(0, Math.max(0, length - 1)) + "~";
    }

    /** Lines of whole words, of at most {@code width} characters where the words allow it. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    static String pad(String text, int length) {
        String clipped = clip(text, length);
        return clipped + " ".repeat(length - clipped.length());
    }
}
