package dev.muster.standalone.cluster;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request about a resource, read from its method, path and query.
 *
 * @param verb the API verb: get, list, watch, create, update, patch, delete, deletecollection
 * @param namespace empty for cluster-scoped kinds and for all namespaces
 * @param name empty for collections
 * @param subresource {@code status}, {@code binding}, {@code eviction}, or empty
 */
record ApiRequest(
        String verb, ResourceKind kind, String namespace, String name, String subresource, Map<String, String> query) {

    /**
     * Reads a request.
     *
     * @throws ApiException 404 where the path leads nowhere, 405 where the method does not fit it
     */
    static ApiRequest parse(ResourceKinds kinds, String method, String path, String queryString) {
        Map<String, String> query = query(queryString);
        List<String> steps = new ArrayList<>();
        for (String step : path.split("/")) {
            if (!step.isEmpty()) {
                steps.add(URLDecoder.decode(step.replace("+", "%2B"), StandardCharsets.UTF_8));
            }
        }
        boolean core = !steps.isEmpty() && steps.getFirst().equals("api");
        int at = core ? 2 : 3;
        if (steps.size() <= at) {
            throw ApiException.unknownPath();
        }
        String group = core ? "" : steps.get(1);
        String version = steps.get(at - 1);
        String namespace = "";
        // /namespaces/NAME and its two subresources are about the namespace itself, anything longer is inside it.
        if (steps.get(at).equals("namespaces") && steps.size() > at + 2 && !namespaceItself(core, steps, at)) {
            namespace = steps.get(at + 1);
            at += 2;
        }
        String plural = steps.get(at);
        String name = steps.size() > at + 1 ? steps.get(at + 1) : "";
        String subresource = steps.size() > at + 2 ? steps.get(at + 2) : "";
        if (steps.size() > at + 3) {
            throw ApiException.unknownPath();
        }
        if (core && plural.equals("bindings") && !namespace.isEmpty()) {
            return new ApiRequest(verb(method, name, query), ResourceKinds.PODS, namespace, "", "binding", query);
        }
        ResourceKind kind = kinds.byPath(group, version, plural).orElseThrow(ApiException::unknownPath);
        if (kind.namespaced() ? namespace.isEmpty() && !name.isEmpty() : !namespace.isEmpty()) {
            throw ApiException.unknownPath();
        }
        return new ApiRequest(verb(method, name, query), kind, namespace, name, subresource, query);
    }

    private static boolean namespaceItself(boolean core, List<String> steps, int at) {
        String third = steps.get(at + 2);
        return core && steps.size() == at + 3 && (third.equals("status") || third.equals("finalize"));
    }

    private static String verb(String method, String name, Map<String, String> query) {
        boolean watch = List.of("true", "1").contains(query.getOrDefault("watch", ""));
        return switch (method) {
            case "GET", "HEAD" -> watch ? "watch" : name.isEmpty() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            default -> throw ApiException.methodNotAllowed();
        };
    }

    private static Map<String, String> query(String text) {
        Map<String, String> found = new HashMap<>();
        if (text == null || text.isEmpty()) {
            return found;
        }
        for (String part : text.split("&")) {
            int at = part.indexOf('=');
            String name = at < 0 ? part : part.substring(0, at);
            String value = at < 0 ? "" : part.substring(at + 1);
            found.put(
                    URLDecoder.decode(name, StandardCharsets.UTF_8), URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
        return found;
    }

    /** A query parameter, empty where it is not given. */
    String param(String parameter) {
        return query.getOrDefault(parameter, "");
    }

    boolean flag(String parameter) {
        return List.of("true", "1").contains(param(parameter));
    }

    long number(String parameter) {
        String text = param(parameter);
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw ApiException.badRequest("query parameter " + parameter + " is not a number: " + text);
        }
    }

    ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    /** The resource as fault rules and counters name it: {@code pods}, {@code pods/binding}, {@code jobs.batch}. */
    String resource() {
        return subresource.isEmpty() ? kind.resource() : kind.resource() + "/" + subresource;
    }

    Selector selector() {
        String fields = param("fieldSelector");
        if (verb.equals("watch") && !name.isEmpty()) {
            fields = "metadata.name=" + name;
        }
        return Selector.parse(kind, namespace, param("labelSelector"), fields);
    }
}
