package dev.muster.standalone.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An embedded broker with three addresses: plain, SASL/PLAIN without TLS, SASL/PLAIN over TLS. The user is {@code alice}, her
 * password {@code secret of alice}; the certificate is made here, for 127.0.0.1, by the JDK's keytool.
 */
public final class SecuredBroker implements AutoCloseable {
    public static final String USER = "alice";
    public static final String PASSWORD = "secret of alice";
    private static final String STORE_PASSWORD = "changeit";

    private final EmbeddedBroker broker;
    private final int saslPort;
    private final int tlsPort;
    private final Path trusted;

    private SecuredBroker(EmbeddedBroker broker, int saslPort, int tlsPort, Path trusted) {
        this.broker = broker;
        this.saslPort = saslPort;
        this.tlsPort = tlsPort;
        this.trusted = trusted;
    }

    public static SecuredBroker start(Path directory)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path keys = directory.resolve("broker.p12");
        Path trusted = directory.resolve("trusted.p12");
        makeCertificate(keys, trusted);
        Map<String, String> sasl = Map.of(
                "sasl.enabled.mechanisms",
                "PLAIN",
                "plain.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required user_" + USER + "=\"" + PASSWORD
                        + "\";");
        Map<String, String> tls = new TreeMap<>(sasl);
        tls.put("ssl.keystore.location", keys.toString());
        tls.put("ssl.keystore.password", STORE_PASSWORD);
        tls.put("ssl.keystore.type", "PKCS12");
        int saslPort = freePort();
        int tlsPort = freePort();
        EmbeddedBroker broker = EmbeddedBroker.start(
                directory.resolve("broker"),
                0,
                List.of(
                        new EmbeddedBroker.Listener("SIGNED", saslPort, "SASL_PLAINTEXT", sasl),
                        new EmbeddedBroker.Listener("SECURE", tlsPort, "SASL_SSL", tls)));
        return new SecuredBroker(broker, saslPort, tlsPort, trusted);
    }

    public String plainServers() {
        return broker.bootstrapServers();
    }

    public String saslServers() {
        return "127.0.0.1:" + saslPort;
    }

    public String tlsServers() {
        return "127.0.0.1:" + tlsPort;
    }

    /** Client properties for one of the latter two, as a person would write them. */
    public String clientProperties(String protocol, String password) {
        return """
                security.protocol=%s
                sasl.mechanism=PLAIN
                sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="%s" password="%s";
                ssl.truststore.location=%s
                ssl.truststore.password=%s
                ssl.truststore.type=PKCS12
                # of another tool, passed over
                acks=all
                """.formatted(protocol, USER, password, trusted, STORE_PASSWORD);
    }

    @Override
    public void close() {
        broker.close();
    }

    private static void makeCertificate(Path keys, Path trusted)
            throws IOException, InterruptedException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "broker",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "SAN=IP:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        STORE_PASSWORD,
                        "-keystore",
                        keys.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            own.load(in, STORE_PASSWORD.toCharArray());
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("broker", own.getCertificate("broker"));
        try (OutputStream out = Files.newOutputStream(trusted)) {
            store.store(out, STORE_PASSWORD.toCharArray());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
