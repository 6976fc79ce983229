package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.DecisionId;

/** Decision ids as the outside sees them: {@code domain:sequence:ordinal}. */
final class DecisionIds {
    private DecisionIds() {}

    static String write(String domain, DecisionId id) {
        return domain + ":" + id.sequence() + ":" + id.ordinal();
    }

    /** The id, if it is one of this domain's, as {@link #write} would write it. */
    static DecisionId read(String field, String domain, String text) {
        int second = text.lastIndexOf(':');
        int first = text.lastIndexOf(':', second - 1);
        if (second < 0 || first < 0) {
            throw InvalidFieldException.of(field, text, "domain:sequence:ordinal");
        }
        if (!text.substring(0, first).equals(domain)) {
            throw InvalidFieldException.wrongDomain(field, text, "a decision of domain " + domain);
        }
        try {
            DecisionId id = new DecisionId(
                    Long.parseLong(text.substring(first + 1, second)), Integer.parseInt(text.substring(second + 1)));
            if (id.sequence() >= 0 && id.ordinal() >= 0 && write(domain, id).equals(text)) {
                return id;
            }
        } catch (NumberFormatException e) {
            // Said below, like any other text that is no id.
        }
        throw InvalidFieldException.of(field, text, "domain:sequence:ordinal");
    }
}
