package dev.muster.standalone.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A watch over a chunked HTTP response: one JSON document per line. */
final class StreamSink implements WatchLoop.Sink {

    private final OutputStream out;
    private final Runnable cut;
    private boolean dirty;

    StreamSink(OutputStream out, Runnable cut) {
        this.out = out;
        this.cut = cut;
    }

    @Override
    public void send(String type, byte[] object) throws IOException {
        out.write(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII));
        out.write(object);
        out.write('}');
        out.write('\n');
        dirty = true;
    }

    @Override
    public void flush() throws IOException {
        if (dirty) {
            out.flush();
            dirty = false;
        }
    }

    /** Only writing tells: the next event or bookmark fails. */
    @Override
    public boolean open() {
        return true;
    }

    @Override
    public void abort() {
        cut.run();
    }
}
