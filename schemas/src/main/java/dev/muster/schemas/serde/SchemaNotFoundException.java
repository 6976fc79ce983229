package dev.muster.schemas.serde;

/** The registry knows no such schema. */
public final class SchemaNotFoundException extends RegistryException {
    private static final long serialVersionUID = 1L;

    SchemaNotFoundException(String message) {
        super(message, null);
    }
}
