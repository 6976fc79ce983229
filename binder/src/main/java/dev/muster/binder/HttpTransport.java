package dev.muster.binder;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests over fabric8's HTTP client, so many at once and each so long. */
final class HttpTransport implements ApiTransport {

    private final HttpClient http;
    private final String server;
    private final Semaphore permits;
    private final Duration timeout;

    /** At most {@code concurrency} calls at once; each ends after {@code timeout}. */
    HttpTransport(KubernetesClient client, int concurrency, Duration timeout) {
        var once = new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(Math.toIntExact(timeout.toMillis()))
                .build();
        this.http = client.newClient(once).getHttpClient();
        String url = client.getMasterUrl().toString();
        this.server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        // Fair: gangs that came first end first, instead of all of them late.
        this.permits = new Semaphore(concurrency, true);
        this.timeout = timeout;
    }

    @Override
    public Answer send(Request request) throws IOException, InterruptedException {
        HttpRequest call = http.newHttpRequestBuilder()
                .uri(server + request.path())
                .header("Accept", "application/json")
                .method(request.method(), request.contentType(), request.body())
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .build();
        HttpResponse<String> response = exchange(call);
        String retryAfter = response.header("Retry-After");
        return new Answer(response.code(), response.body(), retryAfter == null ? "" : retryAfter);
    }

    private HttpResponse<String> exchange(HttpRequest request) throws IOException, InterruptedException {
        permits.acquire();
        try {
            // The request's own timeout comes first; the second one is for an HTTP client that loses track of a
            // request.
            return http.sendAsync(request, String.class).get(timeout.toMillis() + 1000, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(e.toString(), e);
        } finally {
            permits.release();
        }
    }
}
