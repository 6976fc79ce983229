package dev.muster.standalone.virtual;

import dev.muster.binder.ApiTransport;
import dev.muster.standalone.cluster.ObjectStore;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Stands where messages pass in a virtual stack, and may hold them back, repeat, reorder, lose or refuse them. What it
 * does not override passes as it is.
 */
public interface Interceptor {

    /** Lets everything pass. */
    Interceptor NONE = new Interceptor() {};

    /**
     * A binder's request to its API server. Runs in the binder's fiber: it may wait in {@link Fibers}, refuse the request,
     * or do it and lose the answer by throwing.
     *
     * @throws IOException for no answer
     */
    default ApiTransport.Answer call(String cluster, ApiTransport.Request request, ApiTransport server)
            throws IOException, InterruptedException {
        return server.send(request);
    }

    /**
     * A change on its way to the watches of ingest and binder.
     *
     * @param deliver hands it on; may be called later, more than once, or never
     */
    default void watch(String cluster, ObjectStore.Event event, Consumer<ObjectStore.Event> deliver) {
        deliver.accept(event);
    }

    /** A record on its way to the scheduler: of an ingest, or an outcome of a binder. */
    default void record(String topic, String key, byte[] value, SchedulerHost scheduler) {
        scheduler.event(topic, key, value);
    }
}
