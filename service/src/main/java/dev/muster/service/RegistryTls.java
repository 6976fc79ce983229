package dev.muster.service;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Keys and trusted certificates for a schema registry that is reached by https. */
public final class RegistryTls {
    static final Key<Path> TRUSTSTORE = Key.optional(
            "schema.registry.ssl.truststore.location",
            Kind.path(),
            "certificates to trust: PEM, PKCS12 or JKS; the JDK's unless set");
    static final Key<String> TRUSTSTORE_PASSWORD =
            Key.secret("schema.registry.ssl.truststore.password", "password of a PKCS12 or JKS file");
    static final Key<Path> KEYSTORE = Key.optional(
            "schema.registry.ssl.keystore.location",
            Kind.path(),
            "key and certificate to show to the registry: PKCS12 or JKS");
    static final Key<String> KEYSTORE_PASSWORD =
            Key.secret("schema.registry.ssl.keystore.password", "password of that file and of the key in it");

    private static final String PEM = "-----BEGIN CERTIFICATE-----";

    private RegistryTls() {}

    static Optional<SSLContext> read(Values values) {
        Optional<Path> trust = values.find(TRUSTSTORE);
        Optional<Path> keys = values.find(KEYSTORE);
        if (trust.isEmpty() && keys.isEmpty()) {
            return Optional.empty();
        }
        TrustManager[] trustManagers = trust.map(file -> managed(
                        values, TRUSTSTORE, file, () -> trusting(file, chars(values.find(TRUSTSTORE_PASSWORD)))))
                .orElse(null);
        KeyManager[] keyManagers = keys.map(file ->
                        managed(values, KEYSTORE, file, () -> showing(file, chars(values.find(KEYSTORE_PASSWORD)))))
                .orElse(null);
        return values.hasProblems() ? Optional.empty() : Optional.of(context(keyManagers, trustManagers));
    }

    private interface Loading<T> {
        T load() throws IOException, GeneralSecurityException;
    }

    private static <T> T managed(Values values, Key<Path> key, Path file, Loading<T> loading) {
        try {
            return loading.load();
        } catch (IOException | GeneralSecurityException e) {
            values.refuse(key.name() + ": " + file + " cannot be used: "
                    + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
            return null;
        }
    }

    private static SSLContext context(KeyManager[] keys, TrustManager[] trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static TrustManager[] trusting(Path file, char[] password) throws IOException, GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        byte[] content = Files.readAllBytes(file);
        boolean pem = new String(content, StandardCharsets.ISO_8859_1).contains(PEM);
        factory.init(pem ? certificates(content) : store(file.toFile(), password));
        return factory.getTrustManagers();
    }

    private static KeyManager[] showing(Path file, char[] password) throws IOException, GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store(file.toFile(), password), password);
        return factory.getKeyManagers();
    }

    private static KeyStore store(File file, char[] password) throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(file, password);
    }

    private static KeyStore certificates(byte[] pem) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            store.setCertificateEntry("trusted-" + number++, certificate);
        }
        return store;
    }

    private static char[] chars(Optional<String> password) {
        return password.map(String::toCharArray).orElse(null);
    }
}
