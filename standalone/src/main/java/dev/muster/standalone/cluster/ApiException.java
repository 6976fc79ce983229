package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A refusal of the API server, as clients get it: HTTP code, machine-readable reason, message. */
public final class ApiException extends RuntimeException {

    private final int code;
    private final String reason;
    private final transient ObjectNode details;

    /** A refusal without details. */
    public ApiException(int code, String reason, String message) {
        this(code, reason, message, Json.object());
    }

    private ApiException(int code, String reason, String message, ObjectNode details) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.details = details;
    }

    public int code() {
        return code;
    }

    /** The reason as in {@code Status.reason}: {@code Conflict}, {@code NotFound}, ... */
    public String reason() {
        return reason;
    }

    /** Seconds after which the client should try again, 0 for no advice. */
    int retryAfterSeconds() {
        return details.path("retryAfterSeconds").asInt(0);
    }

    ObjectNode status() {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", getMessage());
        status.put("reason", reason);
        if (!details.isEmpty()) {
            status.set("details", details);
        }
        status.put("code", code);
        return status;
    }

    static ApiException notFound(ResourceKind kind, String name) {
        return about(404, "NotFound", kind, name, kind.resource() + " \"" + name + "\" not found");
    }

    static ApiException unknownPath() {
        return new ApiException(404, "NotFound", "the server could not find the requested resource");
    }

    static ApiException alreadyExists(ResourceKind kind, String name) {
        return about(409, "AlreadyExists", kind, name, kind.resource() + " \"" + name + "\" already exists");
    }

    static ApiException conflict(ResourceKind kind, String name, String why) {
        return conflict(kind.resource(), kind, name, why);
    }

    static ApiException conflict(String resource, ResourceKind kind, String name, String why) {
        return about(
                409,
                "Conflict",
                kind,
                name,
                "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why);
    }

    static ApiException modified(ResourceKind kind, String name) {
        return conflict(
                kind,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    static ApiException invalid(ResourceKind kind, String name, String field, String why) {
        ApiException refusal =
                about(422, "Invalid", kind, name, kind.kind() + " \"" + name + "\" is invalid: " + field + ": " + why);
        refusal.details
                .putArray("causes")
                .addObject()
                .put("reason", "FieldValueInvalid")
                .put("message", why)
                .put("field", field);
        return refusal;
    }

    static ApiException forbidden(ResourceKind kind, String name, String why) {
        return about(403, "Forbidden", kind, name, kind.resource() + " \"" + name + "\" is forbidden: " + why);
    }

    static ApiException badRequest(String why) {
        return new ApiException(400, "BadRequest", why);
    }

    static ApiException expired(String why) {
        return new ApiException(410, "Expired", why);
    }

    static ApiException methodNotAllowed() {
        return new ApiException(
                405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    }

    static ApiException unsupportedMediaType(String type) {
        return new ApiException(
                415, "UnsupportedMediaType", "the body of the request was in an unknown format: " + type);
    }

    /** The Eviction API's 429: the budget does not allow it now. */
    static ApiException disruptionBudget(String message, String cause) {
        ObjectNode details = Json.object();
        details.putArray("causes").addObject().put("reason", "DisruptionBudget").put("message", cause);
        return new ApiException(429, "TooManyRequests", message, details);
    }

    private static ApiException about(int code, String reason, ResourceKind kind, String name, String message) {
        ObjectNode details = Json.object();
        details.put("name", name);
        if (!kind.group().isEmpty()) {
            details.put("group", kind.group());
        }
        details.put("kind", kind.plural());
        return new ApiException(code, reason, message, details);
    }

    ApiException retryAfter(int seconds) {
        details.put("retryAfterSeconds", seconds);
        return this;
    }
}
