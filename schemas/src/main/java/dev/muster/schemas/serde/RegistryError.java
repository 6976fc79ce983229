package dev.muster.schemas.serde;

/** A refusal of the embedded registry: HTTP status and Confluent's error code. */
final class RegistryError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final int code;

    private RegistryError(int status, int code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    static RegistryError subjectNotFound(String subject) {
        return new RegistryError(404, 40401, "Subject '" + subject + "' not found.");
    }

    static RegistryError versionNotFound(String version) {
        return new RegistryError(404, 40402, "Version " + version + " not found.");
    }

    static RegistryError schemaNotFound(String what) {
        return new RegistryError(404, 40403, "Schema " + what + " not found");
    }

    static RegistryError subjectHasNoRule(String subject) {
        return new RegistryError(
                404, 40408, "Subject '" + subject + "' does not have subject-level compatibility configured");
    }

    static RegistryError incompatible(String subject, String details) {
        return new RegistryError(
                409,
                409,
                "Schema being registered is incompatible with an earlier schema for subject \"" + subject
                        + "\", details: " + details);
    }

    static RegistryError invalidSchema(String why) {
        return new RegistryError(422, 42201, "Invalid schema: " + why);
    }

    static RegistryError invalidVersion(String version) {
        return new RegistryError(
                422,
                42202,
                "The specified version '" + version
                        + "' is not a valid version id. Allowed values are between [1, 2^31-1] and the string"
                        + " \"latest\"");
    }

    static RegistryError invalidRule(String level) {
        return new RegistryError(
                422,
                42203,
                "Invalid compatibility level '" + level
                        + "'. Valid values are none, backward, forward, full, backward_transitive, forward_transitive,"
                        + " and full_transitive");
    }

    static RegistryError unreadable(String why) {
        return new RegistryError(400, 400, why);
    }

    static RegistryError storeFailed(String why) {
        return new RegistryError(500, 50001, "Error in the backend data store: " + why);
    }

    int status() {
        return status;
    }

    int code() {
        return code;
    }
}
