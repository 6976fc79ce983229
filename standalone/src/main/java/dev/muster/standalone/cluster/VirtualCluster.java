package dev.muster.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.UUID;

/**
 * A simulated cluster on virtual time and without a network: the same objects, kubelets, controllers and rules as {@link
 * SimulatedCluster}, whose requests are calls. Two that see the same requests at the same times hold the same bytes: uids
 * come from the name and a counter, times from {@link VirtualTime}.
 */
public final class VirtualCluster {

    /**
     * The answer to a request.
     *
     * @param code HTTP status
     * @param body JSON: the object, or a Status
     * @param retryAfterSeconds pause that is asked for; 0 where none is
     */
    public record Answer(int code, String body, int retryAfterSeconds) {
        /** Whether the request was granted. */
        public boolean successful() {
            return code >= 200 && code < 300;
        }
    }

    private final String name;
    private final VirtualTime time;
    private final ClusterParts parts;

    /** A cluster without nodes; {@code options.speed}, {@code port} and {@code clock} do not count here. */
    public VirtualCluster(SimulatedClusterOptions options, VirtualTime time) {
        this.name = options.name();
        this.time = time;
        this.parts = new ClusterParts(options, time, time, uidHigh(name));
    }

    /** The first half of a random-looking UUID that depends on the name alone. */
    private static long uidHigh(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).getMostSignificantBits();
    }

    public String name() {
        return name;
    }

    public VirtualTime time() {
        return time;
    }

    public ObjectStore store() {
        return parts.store;
    }

    public SimulatedKubelet kubelet() {
        return parts.kubelet;
    }

    public Counters counters() {
        return parts.counters;
    }

    /** One request as it would come over HTTP, and its answer. Watches are not requests here: see {@link #store}. */
    public Answer request(String method, String path, String contentType, String body) {
        try {
            int query = path.indexOf('?');
            ApiRequest request = ApiRequest.parse(
                    parts.kinds,
                    method,
                    query < 0 ? path : path.substring(0, query),
                    query < 0 ? "" : path.substring(query + 1));
            parts.counters.requested(
                    request.subresource().isEmpty() ? request.verb() : request.verb() + " " + request.resource());
            ApiHandlers.Reply reply =
                    parts.handlers.handle(request, contentType, body == null ? new byte[0] : body.getBytes(UTF_8));
            return new Answer(reply.code(), new String(reply.body(), UTF_8), 0);
        } catch (ApiException e) {
            return new Answer(e.code(), new String(Json.bytes(e.status()), UTF_8), e.retryAfterSeconds());
        }
    }

    /**
     * Opens a door to it on the loopback address: clients reach it as they reach a real API server, while its time passes
     * only as {@link #time} lets it.
     */
    public SimulatedCluster serve(SimulatedClusterOptions options) {
        return SimulatedCluster.serve(parts, options);
    }
}
