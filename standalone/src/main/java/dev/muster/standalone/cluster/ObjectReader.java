package dev.muster.standalone.cluster;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and lists; the pages of one list show one moment, however long the client takes to fetch them. */
final class ObjectReader {

    /** What a list request asks for; limit 0 is no limit, texts are empty where not given. */
    record ListRequest(
            ResourceKind kind,
            String namespace,
            Selector selector,
            long limit,
            String continueToken,
            String resourceVersion,
            String versionMatch) {}

    private record Pages(ResourceKind kind, List<StoredObject> objects, long resourceVersion) {}

    private static final int OPEN_LISTS = 256;

    private final VersionedStore store;
    private final Map<Long, Pages> open = new LinkedHashMap<>();
    private long lists;

    ObjectReader(VersionedStore store) {
        this.store = store;
    }

    StoredObject get(ResourceKind kind, ObjectKey key) {
        StoredObject found = store.get(kind, key);
        if (found == null) {
            throw ApiException.notFound(kind, key.name());
        }
        return found;
    }

    List<StoredObject> matching(ResourceKind kind, String namespace, Selector selector) {
        return store.list(kind, namespace).objects().stream()
                .filter(selector::matches)
                .toList();
    }

    /** The list as the client gets it. */
    byte[] list(ListRequest request) {
        if (!request.continueToken().isEmpty()) {
            String[] token = decode(request.continueToken());
            Pages pages = pages(Long.parseLong(token[0]), request.kind());
            return page(request, pages, Long.parseLong(token[0]), Integer.parseInt(token[1]), request.limit());
        }
        VersionedStore.Snapshot snapshot = store.list(request.kind(), request.namespace());
        checkVersion(request, snapshot.resourceVersion());
        List<StoredObject> matching =
                snapshot.objects().stream().filter(request.selector()::matches).toList();
        Pages pages = new Pages(request.kind(), matching, snapshot.resourceVersion());
        // A list at version 0 is served from the watch cache, which does not page.
        long limit = request.resourceVersion().equals("0") ? 0 : request.limit();
        long id = limit > 0 && matching.size() > limit ? remember(pages) : 0;
        return page(request, pages, id, 0, limit);
    }

    private void checkVersion(ListRequest request, long current) {
        String wanted = request.resourceVersion();
        if (wanted.isEmpty() || wanted.equals("0")) {
            return;
        }
        long version = parseVersion(wanted);
        if (version > current) {
            throw new ApiException(504, "Timeout", "Too large resource version: " + version + ", current: " + current)
                    .retryAfter(1);
        }
        if (request.versionMatch().equals("Exact") && version != current) {
            throw ApiException.expired("The resourceVersion for the provided list is too old.");
        }
    }

    static long parseVersion(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw ApiException.badRequest("Invalid value: \"" + text + "\": resourceVersion is not a number");
        }
    }

    private byte[] page(ListRequest request, Pages pages, long id, int from, long limit) {
        int size = pages.objects().size();
        int to = limit > 0 ? (int) Math.min(size, from + limit) : size;
        ByteArrayOutputStream out = new ByteArrayOutputStream(256 + (to - from) * 1024);
        ResourceKind kind = request.kind();
        write(out, "{\"kind\":\"" + kind.kind() + "List\",\"apiVersion\":\"" + kind.apiVersion() + "\",\"metadata\":{");
        write(out, "\"resourceVersion\":\"" + pages.resourceVersion() + "\"");
        if (to < size) {
            write(out, ",\"continue\":\"" + encode(id, to) + "\",\"remainingItemCount\":" + (size - to));
        }
        write(out, "},\"items\":[");
        String head = "{\"apiVersion\":\"" + kind.apiVersion() + "\",\"kind\":\"" + kind.kind() + "\",";
        // The items of a built-in kind's list carry neither apiVersion nor kind.
        int skip = kind.is(ResourceKind.Trait.CUSTOM) ? 0 : head.length();
        for (int i = from; i < to; i++) {
            if (i > from) {
                out.write(',');
            }
            byte[] item = pages.objects().get(i).bytes();
            if (skip > 0) {
                out.write('{');
            }
            out.write(item, skip, item.length - skip);
        }
        write(out, "]}");
        return out.toByteArray();
    }

    /** Forgets the open lists of a kind: their continue tokens are too old from now on. */
    synchronized void forget(ResourceKind kind) {
        open.values().removeIf(pages -> pages.kind().equals(kind));
    }

    private synchronized long remember(Pages pages) {
        open.put(++lists, pages);
        Iterator<Long> oldest = open.keySet().iterator();
        while (open.size() > OPEN_LISTS) {
            oldest.next();
            oldest.remove();
        }
        return lists;
    }

    private synchronized Pages pages(long id, ResourceKind kind) {
        Pages pages = open.get(id);
        if (pages == null || !pages.kind().equals(kind)) {
            throw ApiException.expired("The provided continue parameter is too old to display a consistent list result."
                    + " You can start a new list without the continue parameter.");
        }
        return pages;
    }

    private static String encode(long id, int next) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((id + ":" + next).getBytes(StandardCharsets.UTF_8));
    }

    private static String[] decode(String token) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            if (text.matches("\\d{1,18}:\\d{1,9}")) {
                return text.split(":");
            }
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("continue key is not valid: " + e.getMessage());
        }
        throw ApiException.badRequest("continue key is not valid");
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
