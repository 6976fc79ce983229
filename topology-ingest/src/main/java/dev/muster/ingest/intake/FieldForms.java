package dev.muster.ingest.intake;

import java.util.Arrays;
import java.util.Set;

/** Forms of texts inside a pod template, as total functions over characters. */
final class FieldForms {

    private static final Set<String> DOWNWARD_PATHS = Set.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "status.hostIP",
            "status.podIP",
            "status.podIPs");

    private FieldForms() {}

    /** An image reference, as far as characters go: printable ASCII without blanks. The runtime judges the rest. */
    static boolean isImage(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /** Name of an environment variable: printable ASCII but '='. */
    static boolean isEnvName(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '=');
    }

    /** A field of the pod that the downward API serves. */
    static boolean isFieldPath(String text) {
        return DOWNWARD_PATHS.contains(text)
                || isSubscript(text, "metadata.labels['")
                || isSubscript(text, "metadata.annotations['");
    }

    private static boolean isSubscript(String text, String start) {
        return text.startsWith(start)
                && text.endsWith("']")
                && text.length() > start.length() + 2
                && Names.isQualifiedName(text.substring(start.length(), text.length() - 2));
    }

    /** An absolute path that does not climb and has no ':'. */
    static boolean isMountPath(String text) {
        return text.startsWith("/") && text.indexOf(':') < 0 && isPlainPath(text);
    }

    /** A relative path that does not climb. */
    static boolean isInnerPath(String text) {
        return !text.isEmpty() && !text.startsWith("/") && isPlainPath(text);
    }

    private static boolean isPlainPath(String text) {
        return Arrays.stream(text.split("/", -1)).noneMatch(".."::equals)
                && text.chars().allMatch(c -> c >= ' ' && c != 0x7f);
    }

    /** A key of a ConfigMap. */
    static boolean isConfigKey(String text) {
        return !text.isEmpty()
                && !text.startsWith("..")
                && text.chars()
                        .allMatch(c -> c >= 'a' && c <= 'z'
                                || c >= 'A' && c <= 'Z'
                                || c >= '0' && c <= '9'
                                || c == '-'
                                || c == '_'
                                || c == '.');
    }

    /** An integer of at most 18 digits. */
    static boolean isInteger(String text) {
        String digits = text.startsWith("-") ? text.substring(1) : text;
        return !digits.isEmpty() && digits.length() <= 18 && allDigits(digits);
    }

    /** A fraction of a GPU, "0.001" to "0.999", at most three decimals. */
    static boolean isGpuFraction(String text) {
        if (!text.startsWith("0.") || text.length() < 3 || text.length() > 5) {
            return false;
        }
        String digits = text.substring(2);
        return allDigits(digits) && digits.chars().anyMatch(c -> c != '0');
    }

    /** A duration as far as characters go: digits, points and the units h, m, s, ms, us, ns. */
    static boolean isDuration(String text) {
        return !text.isEmpty()
                && text.charAt(0) >= '0'
                && text.charAt(0) <= '9'
                && text.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.' || "hmsun".indexOf(c) >= 0);
    }

    /** An exit code, 0 to 255. */
    static boolean isExitCode(String text) {
        return !text.isEmpty() && allDigits(text) && Integer.parseInt(text) <= 255;
    }

    /** A value of a node selector expression: a label value, or a node's name. */
    static boolean isSelectorValue(String text) {
        return Names.isLabelValue(text) || Names.isDnsSubdomain(text);
    }

    private static boolean allDigits(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
