package dev.muster.standalone.cli;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/**
 * Finds out whether Kafka answers, and if not, why. Kafka's clients try again for as long as they may and then say that it
 * took too long, whether nobody listens, somebody listens who is not Kafka, or the two sides do not agree on TLS or SASL;
 * the person at the command needs to know which.
 */
final class KafkaProbe {
    /** Kafka's clients take their time to connect again; more than this is too long to wait for a person. */
    private static final Duration PATIENCE = Duration.ofSeconds(6);

    private static final int CONNECT_MILLIS = 2_500;
    private static final int BROKERS_LOOKED_AT = 3;
    private static final Pattern ADDRESS = Pattern.compile("(?:[A-Z_]+://)?\\[?([0-9a-zA-Z\\-._:%]+?)]?:(\\d{1,5})");

    private final Map<String, Object> kafka;
    private final Duration patience;
    private final String servers;

    private KafkaProbe(Map<String, Object> kafka, Duration patience) {
        this.kafka = kafka;
        this.patience = patience;
        this.servers = String.valueOf(kafka.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG));
    }

    /**
     * Returns when Kafka answers.
     *
     * @param kafka settings that every Kafka client needs
     * @throws CommandException when an address is none, or nobody can be reached, or who can be does not answer
     */
    static void check(Map<String, Object> kafka) {
        check(kafka, PATIENCE);
    }

    static void check(Map<String, Object> kafka, Duration patience) {
        new KafkaProbe(kafka, patience).check();
    }

    /** Why nobody can be reached at an address; empty where somebody listens. */
    static String connectProblem(InetSocketAddress address) {
        if (address.isUnresolved()) {
            return "unknown host " + address.getHostString();
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
            return "";
        } catch (IOException e) {
            return e.getMessage() == null ? "no connection" : e.getMessage().toLowerCase(Locale.ROOT);
        }
    }

    private void check() {
        List<InetSocketAddress> addresses = addresses();
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        // Refuses what is no setting before anybody is asked.
        new AdminClientConfig(config);
        InetSocketAddress listening = reachable(addresses);
        Collection<Node> brokers;
        try (Admin admin = Admin.create(config)) {
            brokers = admin.describeCluster().nodes().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw switch (e.getCause()) {
                case org.apache.kafka.common.errors.TimeoutException timeout -> silent(listening);
                case SslAuthenticationException refusal -> tlsRefused(refusal);
                case KafkaException refusal -> refusal;
                default -> new KafkaException(e.getCause());
            };
        } catch (TimeoutException e) {
            throw silent(listening);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        requireReachable(brokers);
    }

    private List<InetSocketAddress> addresses() {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String part : servers.split(",")) {
            Matcher matcher = ADDRESS.matcher(part.strip());
            if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 65_535) {
                throw CommandException.unusableInput(
                        "--bootstrap-servers " + servers + ": expected HOST:PORT, or several joined by commas");
            }
            addresses.add(new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2))));
        }
        return addresses;
    }

    /** The first that somebody listens on. */
    private InetSocketAddress reachable(List<InetSocketAddress> addresses) {
        String problem = "";
        for (InetSocketAddress address : addresses) {
            problem = connectProblem(address);
            if (problem.isEmpty()) {
                return address;
            }
        }
        throw CommandException.unreachable("Kafka at " + servers + " can't be reached: " + problem, null);
    }

    /** A cluster tells its clients under which names to find its brokers; those may be names of another network. */
    private void requireReachable(Collection<Node> brokers) {
        String problem = "";
        Node unreachable = null;
        for (Node broker : brokers.stream().limit(BROKERS_LOOKED_AT).toList()) {
            problem = connectProblem(new InetSocketAddress(broker.host(), broker.port()));
            if (problem.isEmpty()) {
                return;
            }
            unreachable = broker;
        }
        if (unreachable != null) {
            throw CommandException.unreachable(
                    "Kafka at " + servers + " sends its clients on to " + unreachable.host() + ":" + unreachable.port()
                            + " (advertised.listeners), which can't be reached from here: " + problem,
                    null);
        }
    }

    /** What to say when somebody listens but a Kafka client gets no answer. */
    private CommandException silent(InetSocketAddress address) {
        String protocol = String.valueOf(kafka.getOrDefault("security.protocol", "PLAINTEXT"));
        boolean withTls = protocol.endsWith("SSL");
        String what;
        if (withTls && speaksKafka(address)) {
            what = "it does not speak TLS, and security.protocol is " + protocol;
        } else if (!withTls && speaksTls(address)) {
            what = "it speaks TLS, and security.protocol is " + protocol
                    + "; expected SSL or SASL_SSL in --command-config FILE";
        } else if (protocol.equals("PLAINTEXT") && speaksKafka(address)) {
            what =
                    "it is Kafka, but answers nobody who has not signed in; expected SASL settings in --command-config FILE";
        } else {
            what = "somebody listens there but gave no answer of Kafka within " + patience.toSeconds() + " s";
        }
        return CommandException.unreachable("Kafka at " + servers + " can't be used: " + what, null);
    }

    private CommandException tlsRefused(SslAuthenticationException refusal) {
        Throwable root = refusal;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return CommandException.unreachable(
                "Kafka at " + servers + " can't be used: no TLS connection: " + root.getMessage(), refusal);
    }

    /** Whether a TLS handshake gets an answer of TLS, be it a refusal. Nothing is sent that certificates would protect. */
    private static boolean speaksTls(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
            socket.setSoTimeout(CONNECT_MILLIS);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAnybody()}, null);
            try (SSLSocket tls = (SSLSocket)
                    context.getSocketFactory().createSocket(socket, address.getHostString(), address.getPort(), true)) {
                tls.startHandshake();
                return true;
            }
        } catch (SSLException e) {
            // An alert is an answer too. What is no TLS at all, or the end of the connection, is not.
            return e.getMessage() != null && e.getMessage().contains("alert");
        } catch (IOException | GeneralSecurityException e) {
            return false;
        }
    }

    /** Whether the first request of every Kafka client, which needs no rights, is answered. */
    private static boolean speaksKafka(InetSocketAddress address) {
        int correlation = 0x4d555354;
        byte[] client = "muster".getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
            socket.setSoTimeout(CONNECT_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            // ApiVersions, version 0: size, api key, version, correlation id, client id.
            out.writeInt(2 + 2 + 4 + 2 + client.length);
            out.writeShort(18);
            out.writeShort(0);
            out.writeInt(correlation);
            out.writeShort(client.length);
            out.write(client);
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            return in.readInt() > 0 && in.readInt() == correlation;
        } catch (IOException e) {
            return false;
        }
    }

    /** For asking whether TLS is spoken at all; nothing is believed of what is said. */
    private static final class TrustsAnybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            // Nobody is a client here.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            // The connection is closed before anything is said.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
