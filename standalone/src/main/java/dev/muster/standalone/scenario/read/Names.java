package dev.muster.standalone.scenario.read;

import java.util.regex.Pattern;

/** Names as Kubernetes accepts them (RFC 1123). */
final class Names {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
    private static final int LONGEST = 253;

    private Names() {}

    /** A namespace, a container: at most 63 small letters, digits and dashes. */
    static boolean label(String text) {
        return text.length() <= LONGEST && LABEL.matcher(text).matches();
    }

    /** The name of most objects: labels with dots between, at most 253 characters. */
    static boolean subdomain(String text) {
        return text.length() <= LONGEST && SUBDOMAIN.matcher(text).matches();
    }

    /** The key of a label or annotation, with or without prefix. */
    static boolean labelKey(String text) {
        int slash = text.indexOf('/');
        return text.length() <= 2 * LONGEST
                && (slash < 0 || subdomain(text.substring(0, slash)))
                && KEY.matcher(text.substring(slash + 1)).matches();
    }

    static boolean labelValue(String text) {
        return text.length() <= LONGEST && LABEL_VALUE.matcher(text).matches();
    }
}
