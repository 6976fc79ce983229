package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * How to delete an object.
 *
 * @param graceSeconds grace period asked for; empty for the object's own
 * @param uid uid the object must have, empty for any
 * @param resourceVersion resource version the object must have, empty for any
 * @param propagation {@code Background}, {@code Foreground}, {@code Orphan}; empty for the kind's default
 */
public record DeleteOptions(OptionalLong graceSeconds, String uid, String resourceVersion, String propagation) {

    /** No preconditions, the object's own grace period. */
    public static final DeleteOptions DEFAULT = new DeleteOptions(OptionalLong.empty(), "", "", "");

    /** At once, as {@code kubectl delete --force --grace-period=0}. */
    public static final DeleteOptions NOW = new DeleteOptions(OptionalLong.of(0), "", "", "");

    /** The same with the precondition that the object has this uid. */
    public DeleteOptions withUid(String wanted) {
        return new DeleteOptions(graceSeconds, wanted, resourceVersion, propagation);
    }

    /** The same without a word on the version. */
    DeleteOptions ofAnyVersion() {
        return new DeleteOptions(graceSeconds, uid, "", propagation);
    }

    static DeleteOptions of(JsonNode options) {
        JsonNode grace = options.path("gracePeriodSeconds");
        return new DeleteOptions(
                grace.isNumber() ? OptionalLong.of(grace.asLong()) : OptionalLong.empty(),
                Json.text(options, "preconditions", "uid"),
                Json.text(options, "preconditions", "resourceVersion"),
                options.path("propagationPolicy").asText(""));
    }

    /** What the query says where the body says nothing. */
    DeleteOptions orQuery(String grace, String policy) {
        OptionalLong seconds = graceSeconds.isPresent() || grace == null || grace.isEmpty()
                ? graceSeconds
                : OptionalLong.of(Long.parseLong(grace));
        return new DeleteOptions(
                seconds, uid, resourceVersion, propagation.isEmpty() && policy != null ? policy : propagation);
    }
}
