package dev.muster.standalone.kill;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Stands between Kafka's clients and a broker that tells them the proxy's port, and understands frames: it can hold or
 * lose single requests and single responses, by kind and by client.
 *
 * <p>Kafka answers the requests of a connection in their order. So what comes behind a held frame waits, and behind a
 * lost frame the connection is silent in that direction until the client gives it up, as after a loss in the network.
 */
final class KafkaProxy implements AutoCloseable {
    /** Which way a frame goes. */
    enum Way {
        REQUEST,
        RESPONSE
    }

    /** What a request says of itself: its first fields are the same in every version. */
    private record Head(int apiKey, int correlationId, String clientId) {
        static Head of(byte[] frame) {
            ByteBuffer buffer = ByteBuffer.wrap(frame);
            int key = buffer.getShort();
            buffer.getShort();
            int correlation = buffer.getInt();
            int length = buffer.getShort();
            String client = length < 0 ? "" : new String(frame, buffer.position(), length, StandardCharsets.UTF_8);
            return new Head(key, correlation, client);
        }
    }

    /** A fault in force, until it struck as often as it should or is lifted. */
    static final class Fault {
        private final Way way;
        private final ApiKeys key;
        private final String client;
        private final Duration holdFor;
        private final AtomicInteger left;
        private final AtomicInteger struck = new AtomicInteger();
        private final CountDownLatch lifted = new CountDownLatch(1);

        private Fault(Way way, ApiKeys key, String client, int times, Duration holdFor) {
            this.way = way;
            this.key = key;
            this.client = client;
            this.holdFor = holdFor;
            this.left = new AtomicInteger(times);
        }

        /** How often it struck. */
        int struck() {
            return struck.get();
        }

        /** Lets go what it holds, and strikes no more. */
        void lift() {
            left.set(0);
            lifted.countDown();
        }

        private boolean takes(Way frameWay, Head head) {
            if (frameWay != way
                    || head == null
                    || head.apiKey() != key.id
                    || !head.clientId().contains(client)) {
                return false;
            }
            if (left.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
                return false;
            }
            struck.incrementAndGet();
            return true;
        }

        /** False when the frame is lost. */
        private boolean pass() throws InterruptedException {
            if (holdFor == null) {
                return false;
            }
            // Lifted early or not, it goes on.
            lifted.await(holdFor.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        }
    }

    private final ServerSocket server;
    private final int brokerPort;
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final Map<Socket, Socket> connections = new ConcurrentHashMap<>();

    private KafkaProxy(ServerSocket server, int brokerPort) {
        this.server = server;
        this.brokerPort = brokerPort;
    }

    /** Listens on a free port of loopback; the broker may start later, and again. */
    static KafkaProxy start(int brokerPort) {
        try {
            KafkaProxy proxy = new KafkaProxy(new ServerSocket(0, 128, InetAddress.getLoopbackAddress()), brokerPort);
            Thread.ofVirtual().name("kafka-proxy").start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    /**
     * Holds frames.
     *
     * @param client part of the client id; empty for any
     * @param times how many frames
     */
    Fault hold(Way way, ApiKeys key, String client, int times, Duration duration) {
        return add(new Fault(way, key, client, times, duration));
    }

    /** Loses frames, and with each what follows it on its connection. */
    Fault lose(Way way, ApiKeys key, String client, int times) {
        return add(new Fault(way, key, client, times, null));
    }

    /** Lifts all faults. */
    void heal() {
        faults.forEach(Fault::lift);
        faults.clear();
    }

    @Override
    public void close() {
        heal();
        shut(server);
        connections.keySet().forEach(KafkaProxy::shut);
    }

    private Fault add(Fault fault) {
        faults.add(fault);
        return fault;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                // Closed, or this one connection could not be taken.
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort)) {
            connections.put(client, broker);
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
            Map<Integer, Head> open = new ConcurrentHashMap<>();
            Thread back = Thread.ofVirtual().start(() -> pump(Way.RESPONSE, broker, client, open));
            pump(Way.REQUEST, client, broker, open);
            back.join();
        } catch (IOException e) {
            // The broker is away: the client sees a closed connection and tries again.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(client);
        }
    }

    private void pump(Way way, Socket from, Socket to, Map<Integer, Head> open) {
        try {
            DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(from.getInputStream(), 1 << 16));
            DataOutputStream out =
                    new DataOutputStream(new java.io.BufferedOutputStream(to.getOutputStream(), 1 << 16));
            boolean silent = false;
            while (true) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                silent = silent || !passes(way, frame, open);
                if (!silent) {
                    out.writeInt(frame.length);
                    out.write(frame);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // Either side closed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            shut(from);
            shut(to);
        }
    }

    private boolean passes(Way way, byte[] frame, Map<Integer, Head> open) throws InterruptedException {
        Head head = way == Way.REQUEST
                ? Head.of(frame)
                : open.remove(ByteBuffer.wrap(frame).getInt());
        if (way == Way.REQUEST) {
            open.put(head.correlationId(), head);
        }
        for (Fault fault : faults) {
            if (fault.takes(way, head)) {
                return fault.pass();
            }
        }
        return true;
    }

    private static void shut(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // Closed is closed.
        }
    }
}
