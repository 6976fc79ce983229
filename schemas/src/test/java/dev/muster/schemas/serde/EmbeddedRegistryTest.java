package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The REST interface, as a stranger's client sees it. Expected answers are those of Confluent's registry 7. */
class EmbeddedRegistryTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String V1 =
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}";
    private static final String V2 =
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"long\"}]}";

    private EmbeddedRegistry registry;

    @BeforeEach
    void start() {
        registry = EmbeddedRegistry.inMemory(0);
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    @AfterAll
    static void closeClient() {
        HTTP.close();
    }

    @Test
    void aSubjectsLife() {
        assertThat(get("/subjects")).isEqualTo("200 []");
        assertThat(post("/subjects/s/versions", schema(V1))).isEqualTo("200 {\"id\":1}");
        assertThat(post("/subjects/s/versions", schema(V1.replace(",", " , ")))).isEqualTo("200 {\"id\":1}");
        assertThat(post("/subjects/s/versions", schema(V2))).isEqualTo("200 {\"id\":2}");
        assertThat(post("/subjects/other/versions", schema(V2))).isEqualTo("200 {\"id\":2}");
        assertThat(get("/subjects")).isEqualTo("200 [\"other\",\"s\"]");
        assertThat(get("/subjects/s/versions")).isEqualTo("200 [1,2]");
        String second = "200 " + json("{\"subject\":\"s\",\"version\":2,\"id\":2}", "schema", V2);
        assertThat(get("/subjects/s/versions/2")).isEqualTo(second);
        assertThat(get("/subjects/s/versions/latest")).isEqualTo(second);
        assertThat(get("/subjects/s/versions/1/schema")).isEqualTo("200 " + V1);
        assertThat(post("/subjects/s", schema(V2))).isEqualTo(second);
        assertThat(get("/schemas/ids/1")).isEqualTo("200 " + json("{}", "schema", V1));
        assertThat(get("/schemas/types")).isEqualTo("200 [\"AVRO\"]");
    }

    @Test
    void everyEarlierVersionMustBeReadable() {
        post("/subjects/s/versions", schema(V1));
        post("/subjects/s/versions", schema(V2));
        String third = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[]}";
        String fourth =
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"string\",\"default\":\"\"}]}";
        assertThat(post("/subjects/s/versions", schema(third))).isEqualTo("200 {\"id\":3}");
        // Readable against the third, which has no such field; not against the first two.
        assertThat(post("/compatibility/subjects/s/versions/latest", schema(fourth)))
                .isEqualTo("200 {\"is_compatible\":true,\"messages\":[]}");
        assertThat(post("/compatibility/subjects/s/versions/2", schema(fourth)))
                .startsWith("200 {\"is_compatible\":false,\"messages\":[\"version 2 cannot be read: TYPE_MISMATCH");
        assertThat(post("/subjects/s/versions", schema(fourth))).startsWith("409 {\"error_code\":409,");
    }

    @Test
    void rulesAreSetForAllSubjectsAndForOne() {
        assertThat(get("/config")).isEqualTo("200 {\"compatibilityLevel\":\"BACKWARD_TRANSITIVE\"}");
        assertThat(put("/config", "{\"compatibility\":\"full\"}")).isEqualTo("200 {\"compatibility\":\"FULL\"}");
        assertThat(get("/config/s")).startsWith("404 {\"error_code\":40408,");
        assertThat(get("/config/s?defaultToGlobal=true")).isEqualTo("200 {\"compatibilityLevel\":\"FULL\"}");
        put("/config/s", "{\"compatibility\":\"FORWARD\"}");
        assertThat(get("/config/s")).isEqualTo("200 {\"compatibilityLevel\":\"FORWARD\"}");
        post("/subjects/s/versions", schema(V2));
        assertThat(post("/subjects/s/versions", schema(V1))).startsWith("200 ");
        assertThat(post("/subjects/s/versions", schema(V2.replace("long", "string"))))
                .startsWith("409 ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET  | /subjects/nobody/versions           |                              | 404 | 40401
        GET  | /subjects/nobody/versions/1         |                              | 404 | 40401
        GET  | /subjects/s/versions/2              |                              | 404 | 40402
        GET  | /subjects/s/versions/0              |                              | 422 | 42202
        GET  | /subjects/s/versions/first          |                              | 422 | 42202
        GET  | /schemas/ids/2                      |                              | 404 | 40403
        GET  | /schemas/ids/one                    |                              | 404 | 40403
        POST | /subjects/s                         | {"schema":"\\"int\\""}       | 404 | 40403
        POST | /subjects/nobody                    | {"schema":"\\"int\\""}       | 404 | 40401
        POST | /subjects/s/versions                | {"schema":"\\"ind\\""}       | 422 | 42201
        POST | /subjects/s/versions                | {"schema":"{"}               | 422 | 42201
        POST | /subjects/s/versions                | {"schema":{"type":"int"}}    | 422 | 42201
        POST | /subjects/s/versions                | {"schema":"","schemaType":"PROTOBUF"} | 422 | 42201
        POST | /subjects/s/versions                | {}                           | 422 | 42201
        POST | /subjects/s/versions                | {                            | 400 | 400
        POST | /compatibility/subjects/nobody/versions/latest | {"schema":"\\"int\\""} | 404 | 40401
        PUT  | /config/s                           | {"compatibility":"SIDEWAYS"} | 422 | 42203
        PUT  | /config                             | []                           | 422 | 42203
        GET  | /nothing                            |                              | 404 | 404
        """)
    void errorsHaveConfluentsCodes(String method, String path, String body, int status, int code) throws Exception {
        post("/subjects/s/versions", schema(V1));
        HttpResponse<String> response = send(method, path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        JsonNode answer = JSON.readTree(response.body());
        assertThat(answer.path("error_code").intValue()).isEqualTo(code);
        assertThat(answer.path("message").asText()).isNotBlank();
    }

    @Test
    void aSchemaNestedTooDeepIsInvalidAndTheServerGoesOn() {
        String deep = "{\"type\":\"array\",\"items\":".repeat(20_000) + "\"int\"" + "}".repeat(20_000);
        assertThat(post("/subjects/s/versions", schema(deep))).startsWith("422 {\"error_code\":42201,");
        assertThat(get("/subjects")).isEqualTo("200 []");
    }

    private String get(String path) {
        return text(send("GET", path, null));
    }

    private String post(String path, String body) {
        return text(send("POST", path, body));
    }

    private String put(String path, String body) {
        return text(send("PUT", path, body));
    }

    private HttpResponse<String> send(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(registry.uri() + path))
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String text(HttpResponse<String> response) {
        return response.statusCode() + " " + response.body();
    }

    private static String schema(String schema) {
        return json("{}", "schema", schema);
    }

    private static String json(String object, String field, String value) {
        try {
            return ((ObjectNode) JSON.readTree(object)).put(field, value).toString();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
