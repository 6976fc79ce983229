package dev.muster.standalone.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/** A controller as Kubernetes has them: told what changed, it brings the objects behind one key to their wanted state. */
interface Controller {

    /** Keys that a change concerns. Called with every change, in order, under the store's lock. */
    Collection<ObjectKey> concerns(Change change);

    /**
     * Brings one key to its wanted state; called on the controllers' thread, again after each further change.
     *
     * @return after how long to look at the key again though nothing changed; empty where only a change can matter
     */
    Optional<Duration> reconcile(ObjectKey key);
}
