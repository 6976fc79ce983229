package dev.muster.schemas.serde;

/** The registry could not be reached in time. Trying again may help. */
public final class RegistryUnavailableException extends RegistryException {
    private static final long serialVersionUID = 1L;

    RegistryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
