package dev.muster.binder;

/**
 * The API server answers in a way that no decision can be carried out (wrong credentials, not an API server): the
 * binder stops.
 */
final class ClusterUnusableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClusterUnusableException(ApiException cause) {
        super("API server can't be used: " + cause.getMessage(), cause);
    }
}
