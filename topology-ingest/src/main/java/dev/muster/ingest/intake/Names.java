package dev.muster.ingest.intake;

/**
 * Name rules of Kubernetes (apimachinery's validation) as total functions over characters: no regular expression ever
 * sees a tenant's text.
 */
final class Names {

    /** Longest DNS label, and longest label value. */
    static final int LABEL_MAX = 63;

    /** Longest DNS subdomain. */
    static final int SUBDOMAIN_MAX = 253;

    /** Longest command id. */
    static final int COMMAND_ID_MAX = 128;

    private static final int QUOTE_MAX = 80;

    private Names() {}

    /** RFC 1123 label: a-z, 0-9 and '-', no '-' at either end, 1 to 63 characters. */
    static boolean isDnsLabel(String text) {
        if (text.isEmpty() || text.length() > LABEL_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean inner = i > 0 && i < text.length() - 1;
            if (!isLowerOrDigit(c) && !(c == '-' && inner)) {
                return false;
            }
        }
        return true;
    }

    /** RFC 1123 subdomain: DNS labels joined by dots, at most 253 characters. */
    static boolean isDnsSubdomain(String text) {
        if (text.isEmpty() || text.length() > SUBDOMAIN_MAX) {
            return false;
        }
        int start = 0;
        while (true) {
            int dot = text.indexOf('.', start);
            if (!isDnsLabel(text.substring(start, dot < 0 ? text.length() : dot))) {
                return false;
            }
            if (dot < 0) {
                return true;
            }
            start = dot + 1;
        }
    }

    /**
     * Name part of a label key, or a label value that is not empty: letters, digits, '-', '_' and '.', ends in a
     * letter or digit.
     */
    static boolean isLabelName(String text) {
        if (text.isEmpty() || text.length() > LABEL_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean inner = i > 0 && i < text.length() - 1;
            if (!isLetterOrDigit(c) && !((c == '-' || c == '_' || c == '.') && inner)) {
                return false;
            }
        }
        return true;
    }

    /** A qualified name: a label name, with or without a DNS subdomain and '/' before it. */
    static boolean isQualifiedName(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? isLabelName(text)
                : isDnsSubdomain(text.substring(0, slash)) && isLabelName(text.substring(slash + 1));
    }

    /** A label value: empty, or a label name. */
    static boolean isLabelValue(String text) {
        return text.isEmpty() || isLabelName(text);
    }

    /** A command id: 1 to 128 letters, digits and {@code . _ : -}. */
    static boolean isCommandId(String text) {
        if (text.isEmpty() || text.length() > COMMAND_ID_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetterOrDigit(c) && c != '.' && c != '_' && c != ':' && c != '-') {
                return false;
            }
        }
        return true;
    }

    /** The domain part of a key: what stands before the '/', or the whole key where there is none. */
    static String domainOf(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash);
    }

    /** Whether {@code name} is {@code domain} or lies below it. */
    static boolean isWithin(String name, String domain) {
        return name.equals(domain) || name.endsWith("." + domain);
    }

    /** The text in quotes for a message: everything but printable ASCII is escaped, and it is cut at 80 characters. */
    static String quote(String text) {
        return '\'' + escape(text, QUOTE_MAX) + '\'';
    }

    /**
     * The text with everything but printable ASCII escaped, so that it stays one harmless line, cut at {@code max}
     * characters.
     */
    static String escape(String text, int max) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), max) + 8);
        int i = 0;
        for (; i < text.length() && out.length() < max; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c <= '~' && c != '\\') {
                out.append(c);
            } else {
                out.append("\\u").append(String.format("%04x", (int) c));
            }
        }
        return i < text.length() ? out.append("...").toString() : out.toString();
    }

    private static boolean isLowerOrDigit(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
    }

    private static boolean isLetterOrDigit(char c) {
        return isLowerOrDigit(c) || c >= 'A' && c <= 'Z';
    }
}
