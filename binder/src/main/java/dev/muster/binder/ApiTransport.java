package dev.muster.binder;

import java.io.IOException;

/** What carries a request to an API server and its answer back: once, without trying again. */
@FunctionalInterface
public interface ApiTransport {

    /**
     * A request.
     *
     * @param path path below the server's address, with its query
     * @param body JSON; null for none
     */
    record Request(String method, String path, String contentType, String body) {}

    /**
     * An answer.
     *
     * @param code HTTP status
     * @param body the object or the Status as JSON; whatever a proxy says instead
     * @param retryAfter header Retry-After; empty where there is none
     */
    record Answer(int code, String body, String retryAfter) {}

    /**
     * Sends a request and waits for its answer.
     *
     * @throws IOException when no answer came: the request may or may not have taken effect
     */
    Answer send(Request request) throws IOException, InterruptedException;
}
