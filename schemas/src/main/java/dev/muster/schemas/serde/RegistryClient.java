package dev.muster.schemas.serde;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;

/**
 * A client of a schema registry with Confluent's REST interface. Answers are cached for good (schemas never change);
 * that an id is unknown is remembered for a few seconds, so that records which name it do not become requests.
 *
 * <p>A call tries the registry's addresses in turn, beginning with the one that answered last, and pauses between
 * rounds, until one answers or the time is up. What counts as no answer: no connection, no reply, 408, 429, 5xx.
 */
public final class RegistryClient implements SchemaRegistry, AutoCloseable {
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ABSENCE_REMEMBERED = Duration.ofSeconds(5);
    private static final int MAX_ABSENCES = 1_024;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final RegistryConfig config;
    private final HttpClient http;
    private final Map<SubjectSchema, Integer> ids = new ConcurrentHashMap<>();
    private final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();
    private final Map<Integer, Long> absentSinceNanos = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
            return size() > MAX_ABSENCES;
        }
    });
    private volatile int preferred;

    /** A client; connects when it is first used. */
    public RegistryClient(RegistryConfig config) {
        this.config = config;
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        config.ssl().ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    @Override
    public int register(String subject, Schema schema) {
        SubjectSchema key = new SubjectSchema(subject, schema);
        Integer id = ids.get(key);
        if (id == null) {
            JsonNode answer = call("POST", "/subjects/" + escape(subject) + "/versions", schemaBody(schema));
            id = requireInt(answer, "id");
            ids.put(key, id);
        }
        return id;
    }

    @Override
    public Schema byId(int id) {
        Schema schema = schemas.get(id);
        if (schema != null) {
            return schema;
        }
        Long absentSince = absentSinceNanos.get(id);
        if (absentSince != null && System.nanoTime() - absentSince < ABSENCE_REMEMBERED.toNanos()) {
            throw new SchemaNotFoundException("schema " + id + " is not registered");
        }
        try {
            schema = schemaIn(call("GET", "/schemas/ids/" + id, null));
        } catch (SchemaNotFoundException e) {
            absentSinceNanos.put(id, System.nanoTime());
            throw e;
        }
        schemas.put(id, schema);
        return schema;
    }

    /**
     * Whether a schema could be registered, by the subject's rule, as far as its latest version is concerned.
     *
     * @throws SchemaNotFoundException when the subject does not exist
     */
    public boolean isCompatible(String subject, Schema schema) {
        return call("POST", "/compatibility/subjects/" + escape(subject) + "/versions/latest", schemaBody(schema))
                .path("is_compatible")
                .asBoolean();
    }

    /** A subject's own compatibility rule; empty where it has none. */
    public Optional<String> compatibilityOf(String subject) {
        try {
            JsonNode answer = call("GET", "/config/" + escape(subject), null);
            return Optional.of(answer.path("compatibilityLevel").asText(""));
        } catch (SchemaNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Sets a subject's compatibility rule, such as BACKWARD_TRANSITIVE. */
    public void setCompatibility(String subject, String level) {
        call(
                "PUT",
                "/config/" + escape(subject),
                JsonNodeFactory.instance.objectNode().put("compatibility", level));
    }

    @Override
    public void close() {
        http.close();
    }

    private JsonNode call(String method, String path, JsonNode body) {
        long deadlineNanos = System.nanoTime() + config.timeout().toNanos();
        long pauseMillis = FIRST_PAUSE_MILLIS;
        int instances = config.urls().size();
        String problem = "no time to ask";
        Exception cause = null;
        for (int attempt = 0; System.nanoTime() < deadlineNanos; attempt++) {
            if (attempt > 0 && attempt % instances == 0) {
                pause(Math.min(pauseMillis, (deadlineNanos - System.nanoTime()) / 1_000_000));
                pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
            }
            int instance = (preferred + (attempt == 0 ? 0 : 1)) % instances;
            URI url = config.urls().get(instance);
            preferred = instance;
            try {
                Duration patience = patience(deadlineNanos - System.nanoTime());
                HttpResponse<String> response =
                        http.send(request(url, method, path, body, patience), HttpResponse.BodyHandlers.ofString());
                if (!mayBeRetried(response.statusCode())) {
                    return answer(url, method + " " + path, response);
                }
                problem = "HTTP " + response.statusCode() + " from " + url;
                cause = null;
            } catch (IOException e) {
                problem = url + ": " + describe(e);
                cause = e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RegistryUnavailableException("interrupted while asking the schema registry at " + url, e);
            }
        }
        throw new RegistryUnavailableException(
                "schema registry did not answer within " + config.timeout().toMillis() + " ms: " + problem, cause);
    }

    // An instance that swallows requests must leave time for the others.
    private Duration patience(long remainingNanos) {
        int instances = config.urls().size();
        long share = instances == 1 ? remainingNanos : config.timeout().toNanos() / (instances + 1);
        return Duration.ofNanos(Math.max(1_000_000, Math.min(share, remainingNanos)));
    }

    private HttpRequest request(URI url, String method, String path, JsonNode body, Duration patience) {
        String base = url.toString().replaceAll("/+$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(patience)
                .header("Accept", CONTENT_TYPE + ", application/json")
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.toString()));
        if (body != null) {
            request.header("Content-Type", CONTENT_TYPE);
        }
        config.basicAuth().ifPresent(auth -> request.header("Authorization", "Basic " + encode(auth)));
        return request.build();
    }

    private static JsonNode answer(URI url, String what, HttpResponse<String> response) {
        int status = response.statusCode();
        JsonNode body;
        try {
            body = JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            body = JsonNodeFactory.instance.missingNode();
        }
        if (status / 100 == 2) {
            return body;
        }
        String message = "schema registry " + url + ": " + what + ": HTTP " + status + ": "
                + body.path("message").asText("no message").lines().findFirst().orElse("no message");
        throw switch (status) {
            // Without the error code of a registry it is some other server, or another path of this one.
            case 404 ->
                body.path("error_code").asInt(404) == 404
                        ? new RegistryException(message + "; is this the address of a schema registry?", null)
                        : new SchemaNotFoundException(message);
            case 409 -> new IncompatibleSchemaException(message);
            default -> new RegistryException(message, null);
        };
    }

    private static boolean mayBeRetried(int status) {
        return status >= 500 || status == 429 || status == 408;
    }

    private static Schema schemaIn(JsonNode answer) {
        JsonNode text = answer.path("schema");
        if (!text.isTextual()) {
            throw new RegistryException("schema registry answered without a text in 'schema'", null);
        }
        String type = answer.path("schemaType").asText("AVRO");
        if (!type.equals("AVRO")) {
            throw new IllegalArgumentException("not an Avro schema: schemaType is " + type);
        }
        return SchemaText.parse(text.textValue());
    }

    private static int requireInt(JsonNode answer, String field) {
        JsonNode value = answer.path(field);
        if (!value.isInt()) {
            throw new RegistryException("schema registry answered without a number in '" + field + "'", null);
        }
        return value.intValue();
    }

    private static JsonNode schemaBody(Schema schema) {
        return JsonNodeFactory.instance.objectNode().put("schema", schema.toString());
    }

    private static String escape(String subject) {
        return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String encode(RegistryConfig.BasicAuth auth) {
        return Base64.getEncoder()
                .encodeToString((auth.user() + ":" + auth.password()).getBytes(StandardCharsets.UTF_8));
    }

    private static String describe(IOException problem) {
        String name = problem.getClass().getSimpleName();
        return problem.getMessage() == null ? name : name + ": " + problem.getMessage();
    }

    private static void pause(long millis) {
        if (millis <= 0) {
            return;
        }
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryUnavailableException("interrupted while waiting for the schema registry", e);
        }
    }

    /** A schema by identity: comparing or hashing all of it for each record would cost more than encoding the record. */
    private record SubjectSchema(String subject, Schema schema) {
        @Override
        public boolean equals(Object other) {
            return other instanceof SubjectSchema that && schema == that.schema && subject.equals(that.subject);
        }

        @Override
        public int hashCode() {
            return 31 * subject.hashCode() + System.identityHashCode(schema);
        }
    }
}
