package dev.muster.standalone.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/** A watch over a WebSocket: one text message per event; a batch is on its way before the next one is read. */
final class WebSocketSink implements WatchLoop.Sink {

    private final Session session;
    private Callback.Completable last;

    WebSocketSink(Session session) {
        this.session = session;
    }

    @Override
    public void send(String type, byte[] object) {
        String event = "{\"type\":\"" + type + "\",\"object\":" + new String(object, StandardCharsets.UTF_8) + "}";
        last = new Callback.Completable();
        session.sendText(event, last);
    }

    /** Waits for the last message: they leave in order, and none leaves after one that failed. */
    @Override
    public void flush() throws IOException {
        if (last == null) {
            return;
        }
        try {
            last.join();
        } catch (CompletionException e) {
            throw new IOException(e.getCause());
        }
        last = null;
    }

    @Override
    public boolean open() {
        return session.isOpen();
    }

    @Override
    public void abort() {
        session.disconnect();
    }
}
