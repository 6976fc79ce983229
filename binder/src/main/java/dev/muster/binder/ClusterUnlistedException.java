package dev.muster.binder;

/** Pods and nodes of the cluster could not be listed: the API server does not answer, or refuses. */
final class ClusterUnlistedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    ClusterUnlistedException(String message, Throwable cause) {
        super(message, cause);
    }
}
