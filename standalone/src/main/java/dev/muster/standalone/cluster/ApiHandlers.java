package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** From a parsed request to its reply, for everything but watches. */
final class ApiHandlers {

    /** HTTP code and JSON body. */
    record Reply(int code, byte[] body) {}

    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";

    private final ObjectReader reader;
    private final ObjectWriter writer;
    private final PodSubresources pods;

    ApiHandlers(ObjectReader reader, ObjectWriter writer, PodSubresources pods) {
        this.reader = reader;
        this.writer = writer;
        this.pods = pods;
    }

    Reply handle(ApiRequest request, String contentType, byte[] body) {
        if (!request.subresource().isEmpty() && !knownSubresource(request)) {
            throw ApiException.unknownPath();
        }
        if (!request.param("dryRun").isEmpty()) {
            throw ApiException.badRequest("dryRun is not simulated");
        }
        return switch (request.verb()) {
            case "get" ->
                new Reply(200, reader.get(request.kind(), request.key()).bytes());
            case "list" -> new Reply(200, reader.list(listRequest(request)));
            case "create" -> create(request, object(contentType, body));
            case "update" -> update(request, object(contentType, body));
            case "patch" -> patch(request, contentType, body);
            case "delete" -> delete(request, deleteOptions(request, contentType, body));
            case "deletecollection" -> deleteCollection(request, deleteOptions(request, contentType, body));
            default -> throw ApiException.methodNotAllowed();
        };
    }

    private static boolean knownSubresource(ApiRequest request) {
        return switch (request.subresource()) {
            case "status" -> request.kind().hasStatus();
            case "binding", "eviction" -> request.kind().equals(ResourceKinds.PODS);
            case "finalize" -> request.kind().equals(ResourceKinds.NAMESPACES);
            default -> false;
        };
    }

    private static ObjectReader.ListRequest listRequest(ApiRequest request) {
        return new ObjectReader.ListRequest(
                request.kind(),
                request.namespace(),
                request.selector(),
                request.number("limit"),
                request.param("continue"),
                request.param("resourceVersion"),
                request.param("resourceVersionMatch"));
    }

    private Reply create(ApiRequest request, ObjectNode body) {
        switch (request.subresource()) {
            case "binding" -> {
                // POST /namespaces/NS/bindings carries the pod's name in the body only.
                String name = request.name().isEmpty() ? Json.text(body, "metadata", "name") : request.name();
                pods.bind(new ObjectKey(request.namespace(), name), body);
                return new Reply(201, success(201));
            }
            case "eviction" -> {
                pods.evict(request.key(), body);
                return new Reply(201, success(201));
            }
            default -> {
                if (!request.name().isEmpty()
                        || request.kind().namespaced() && request.namespace().isEmpty()) {
                    throw ApiException.methodNotAllowed();
                }
                checkKind(request.kind(), body);
                return new Reply(
                        201,
                        writer.create(request.kind(), request.namespace(), body, false)
                                .bytes());
            }
        }
    }

    private static void checkKind(ResourceKind kind, ObjectNode body) {
        String apiVersion = Json.text(body, "apiVersion");
        String name = Json.text(body, "kind");
        if (!apiVersion.isEmpty() && !apiVersion.equals(kind.apiVersion())
                || !name.isEmpty() && !name.equals(kind.kind())) {
            throw ApiException.badRequest("the object provided is a " + apiVersion + " " + name + ", expected "
                    + kind.apiVersion() + " " + kind.kind());
        }
    }

    private Reply update(ApiRequest request, ObjectNode body) {
        requireName(request);
        checkKind(request.kind(), body);
        return new Reply(
                200,
                writer.update(request.kind(), request.key(), body, part(request))
                        .bytes());
    }

    private static ObjectWriter.Part part(ApiRequest request) {
        return request.subresource().equals("status") ? ObjectWriter.Part.STATUS : ObjectWriter.Part.MAIN;
    }

    private Reply patch(ApiRequest request, String contentType, byte[] body) {
        requireName(request);
        String type = mediaType(contentType);
        boolean custom = request.kind().is(ResourceKind.Trait.CUSTOM);
        JsonNode patch = read(type, body);
        UnaryOperator<ObjectNode> change = switch (type) {
            case MERGE -> before -> requireObject(MergePatch.merge(before, patch));
            case JSON_PATCH -> before -> requireObject(JsonPatch.apply(before, patch));
            case STRATEGIC -> {
                if (custom) {
                    throw ApiException.unsupportedMediaType(type);
                }
                yield before -> MergePatch.strategic(before, requireObject(patch));
            }
            case APPLY -> before -> apply(custom, before, requireObject(patch));
            default -> throw ApiException.unsupportedMediaType(type);
        };
        if (type.equals(APPLY)) {
            return applied(request, requireObject(patch), change);
        }
        return new Reply(
                200,
                writer.patch(request.kind(), request.key(), part(request), change)
                        .bytes());
    }

    /** Server-side apply without ownership: the fields are merged in, and a missing object is created. */
    private Reply applied(ApiRequest request, ObjectNode object, UnaryOperator<ObjectNode> change) {
        if (request.param("fieldManager").isEmpty()) {
            throw ApiException.badRequest("PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is"
                    + " required for apply patch");
        }
        try {
            return new Reply(
                    200,
                    writer.patch(request.kind(), request.key(), part(request), change)
                            .bytes());
        } catch (ApiException e) {
            if (e.code() != 404 || !request.subresource().isEmpty()) {
                throw e;
            }
            Json.child(object, "metadata").put("name", request.name());
            return new Reply(
                    201,
                    writer.create(request.kind(), request.namespace(), object, false)
                            .bytes());
        }
    }

    private static ObjectNode apply(boolean custom, ObjectNode before, ObjectNode patch) {
        return custom ? requireObject(MergePatch.merge(before, patch)) : MergePatch.strategic(before, patch);
    }

    private Reply delete(ApiRequest request, DeleteOptions options) {
        Deletions.Deletion deletion = writer.delete(request.kind(), request.key(), options);
        boolean returnsObject = !deletion.gone() || request.kind().equals(ResourceKinds.PODS);
        return new Reply(200, returnsObject ? deletion.object().bytes() : deleted(deletion.object()));
    }

    private Reply deleteCollection(ApiRequest request, DeleteOptions options) {
        for (StoredObject object : reader.matching(request.kind(), request.namespace(), request.selector())) {
            try {
                writer.delete(request.kind(), object.key(), options);
            } catch (ApiException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
        return new Reply(200, success(200));
    }

    private static DeleteOptions deleteOptions(ApiRequest request, String contentType, byte[] body) {
        JsonNode options = body.length == 0 ? Json.object() : read(mediaType(contentType), body);
        request.number("gracePeriodSeconds");
        return DeleteOptions.of(options)
                .orQuery(request.param("gracePeriodSeconds"), request.param("propagationPolicy"));
    }

    private static void requireName(ApiRequest request) {
        if (request.name().isEmpty() || request.subresource().equals("binding")) {
            throw ApiException.methodNotAllowed();
        }
    }

    private static byte[] success(int code) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return Json.bytes(status.put("status", "Success").put("code", code));
    }

    private static byte[] deleted(StoredObject object) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        status.putObject("details")
                .put("name", object.key().name())
                .put("group", object.kind().group())
                .put("kind", object.kind().plural())
                .put("uid", object.uid());
        return Json.bytes(status);
    }

    private static ObjectNode object(String contentType, byte[] body) {
        return requireObject(read(mediaType(contentType), body));
    }

    private static ObjectNode requireObject(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw ApiException.badRequest("the body of the request is not an object");
    }

    private static JsonNode read(String mediaType, byte[] body) {
        try {
            JsonNode read = mediaType.endsWith("yaml") ? Json.parseYaml(body) : Json.parse(body);
            return read == null ? Json.object() : read;
        } catch (IOException e) {
            throw ApiException.badRequest("the body of the request can not be read: " + e.getMessage());
        }
    }

    private static String mediaType(String contentType) {
        if (contentType == null) {
            return "application/json";
        }
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).trim();
    }
}
