package dev.muster.schemas.serde;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How to reach a schema registry.
 *
 * @param urls base addresses of its instances, tried in turn; at least one, http or https
 * @param basicAuth user and password, sent with every request
 * @param ssl keys and trusted certificates for https; absent means the JDK's
 * @param timeout how long a call may take in all, retries included
 */
public record RegistryConfig(
        List<URI> urls, Optional<BasicAuth> basicAuth, Optional<SSLContext> ssl, Duration timeout) {

    /** @throws IllegalArgumentException when an address or the timeout cannot be used */
    public RegistryConfig {
        urls = List.copyOf(urls);
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("schema registry: at least one address is needed");
        }
        for (URI url : urls) {
            if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                throw new IllegalArgumentException(
                        "schema registry address " + url + ": expected http://HOST[:PORT][/PATH] or https://...");
            }
            if (url.getUserInfo() != null) {
                throw new IllegalArgumentException("schema registry address of " + url.getHost()
                        + ": give user and password apart from the address");
            }
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("schema registry timeout " + timeout + ": expected more than nothing");
        }
    }

    /** A registry at one address, without authentication, ten seconds of patience. */
    public static RegistryConfig of(URI url) {
        return new RegistryConfig(List.of(url), Optional.empty(), Optional.empty(), Duration.ofSeconds(10));
    }

    /**
     * User and password for HTTP basic authentication.
     *
     * @param user user name, without a colon (RFC 7617)
     * @param password password
     */
    public record BasicAuth(String user, String password) {
        /** @throws IllegalArgumentException when the user name has a colon */
        public BasicAuth {
            if (user.contains(":")) {
                throw new IllegalArgumentException("schema registry user: a colon is not allowed in it");
            }
        }

        @Override
        public String toString() {
            return "BasicAuth[user=" + user + "]";
        }
    }
}
