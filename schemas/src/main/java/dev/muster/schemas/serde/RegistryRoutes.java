package dev.muster.schemas.serde;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The REST interface of the embedded registry: the part of Confluent's that registers, looks up and compares Avro schemas. */
final class RegistryRoutes {
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SchemaStore store;

    RegistryRoutes(SchemaStore store) {
        this.store = store;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/", ctx -> answer(ctx, JSON.createObjectNode()));
        routes.get("/subjects", ctx -> answer(ctx, strings(store.state().subjects())));
        routes.get("/subjects/{subject}/versions", this::listVersions);
        routes.get("/subjects/{subject}/versions/{version}", ctx -> answer(ctx, describe(requireVersion(ctx))));
        routes.get(
                "/subjects/{subject}/versions/{version}/schema",
                ctx -> answer(ctx, requireVersion(ctx).schema()));
        routes.post("/subjects/{subject}/versions", this::register);
        routes.post("/subjects/{subject}", this::lookUp);
        routes.get("/schemas/ids/{id}", this::schemaById);
        routes.get("/schemas/types", ctx -> answer(ctx, strings(List.of("AVRO"))));
        routes.post("/compatibility/subjects/{subject}/versions/{version}", this::compare);
        routes.get(
                "/config",
                ctx -> answer(ctx, level("compatibilityLevel", store.state().defaultRule())));
        routes.get("/config/{subject}", this::ruleOf);
        routes.put("/config", ctx -> setRule(ctx, Optional.empty()));
        routes.put("/config/{subject}", ctx -> setRule(ctx, Optional.of(ctx.pathParam("subject"))));
        routes.exception(RegistryError.class, (e, ctx) -> fail(ctx, e.status(), e.code(), e.getMessage()));
        routes.error(404, ctx -> {
            if (!CONTENT_TYPE.equals(ctx.res().getContentType())) {
                fail(ctx, 404, 404, "HTTP 404 Not Found");
            }
        });
    }

    private void listVersions(Context ctx) {
        ArrayNode numbers = JSON.createArrayNode();
        store.requireVersions(ctx.pathParam("subject")).forEach(v -> numbers.add(v.version()));
        answer(ctx, numbers);
    }

    private void register(Context ctx) {
        int id = store.register(ctx.pathParam("subject"), schemaIn(ctx));
        answer(ctx, JSON.createObjectNode().put("id", id));
    }

    private void lookUp(Context ctx) {
        answer(ctx, describe(store.lookUp(ctx.pathParam("subject"), schemaIn(ctx))));
    }

    private void schemaById(Context ctx) {
        String id = ctx.pathParam("id");
        String text = parseId(id)
                .flatMap(number -> store.state().textOf(number))
                .orElseThrow(() -> {
                    return RegistryError.schemaNotFound(id);
                });
        answer(ctx, JSON.createObjectNode().put("schema", text));
    }

    private void compare(Context ctx) {
        List<String> objections = store.objections(ctx.pathParam("subject"), requireVersion(ctx), schemaIn(ctx));
        ObjectNode body = JSON.createObjectNode().put("is_compatible", objections.isEmpty());
        body.set("messages", strings(objections));
        answer(ctx, body);
    }

    private void ruleOf(Context ctx) {
        String subject = ctx.pathParam("subject");
        Optional<Compatibility> rule = store.state().ownRule(subject);
        if (rule.isEmpty() && !"true".equals(ctx.queryParam("defaultToGlobal"))) {
            throw RegistryError.subjectHasNoRule(subject);
        }
        answer(ctx, level("compatibilityLevel", store.state().rule(subject)));
    }

    private void setRule(Context ctx, Optional<String> subject) {
        String name = bodyOf(ctx).path("compatibility").asText();
        Compatibility rule =
                Compatibility.named(name.toUpperCase(Locale.ROOT)).orElseThrow(() -> RegistryError.invalidRule(name));
        store.setRule(subject, rule);
        answer(ctx, level("compatibility", rule));
    }

    private RegistryEntry.Version requireVersion(Context ctx) {
        return store.requireVersion(ctx.pathParam("subject"), ctx.pathParam("version"));
    }

    private static String schemaIn(Context ctx) {
        JsonNode body = bodyOf(ctx);
        String type = body.path("schemaType").asText("AVRO");
        if (!type.equals("AVRO")) {
            throw RegistryError.invalidSchema("schemaType is " + type + ", only AVRO is known here");
        }
        if (!body.path("references").isEmpty()) {
            throw RegistryError.invalidSchema("references are not known here: put the types into the schema");
        }
        if (!body.path("schema").isTextual()) {
            throw RegistryError.invalidSchema("expected the schema as text in 'schema'");
        }
        return body.path("schema").textValue();
    }

    private static JsonNode bodyOf(Context ctx) {
        try {
            return JSON.readTree(ctx.body());
        } catch (JsonProcessingException e) {
            throw RegistryError.unreadable("the body is not JSON: " + e.getOriginalMessage());
        }
    }

    private static Optional<Integer> parseId(String text) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static ObjectNode describe(RegistryEntry.Version version) {
        return JSON.createObjectNode()
                .put("subject", version.subject())
                .put("version", version.version())
                .put("id", version.id())
                .put("schema", version.schema());
    }

    private static ObjectNode level(String field, Compatibility level) {
        return JSON.createObjectNode().put(field, level.name());
    }

    private static ArrayNode strings(List<String> values) {
        ArrayNode array = JSON.createArrayNode();
        values.forEach(array::add);
        return array;
    }

    private static void fail(Context ctx, int status, int code, String message) {
        ctx.status(status);
        answer(ctx, JSON.createObjectNode().put("error_code", code).put("message", message));
    }

    private static void answer(Context ctx, JsonNode body) {
        answer(ctx, body.toString());
    }

    private static void answer(Context ctx, String body) {
        ctx.contentType(CONTENT_TYPE).result(body);
    }
}
