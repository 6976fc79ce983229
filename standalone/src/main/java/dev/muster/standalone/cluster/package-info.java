/**
 * A simulated Kubernetes cluster: an API server stand-in over real HTTP, a kubelet and the controllers a batch cluster
 * needs, all in one process and without containers.
 *
 * <p>The way of a request: {@code ApiServer} reads the path ({@code ApiRequest}), lets {@code Faults} have their turn,
 * and hands it to {@code ObjectReader}, {@code ObjectWriter}, {@code PodSubresources} or {@code WatchLoop}. All of them
 * work on one {@code VersionedStore}: JSON trees that are never changed once stored, one resource version counter, and
 * one ring of changes per kind that every watch reads with its own cursor. {@code SimulatedKubelet} and {@code
 * ControllerLoop} follow the store's change feed in process.
 *
 * <p>The measure of everything here is a real API server. Where this one is kinder, it hides faults of its clients,
 * and that is a bug; where it is stricter, the difference is written down at the place.
 */
package dev.muster.standalone.cluster;
