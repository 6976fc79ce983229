package dev.muster.schemas.serde;

/** The schema cannot read what earlier versions of its subject wrote. */
public final class IncompatibleSchemaException extends RegistryException {
    private static final long serialVersionUID = 1L;

    IncompatibleSchemaException(String message) {
        super(message, null);
    }
}
