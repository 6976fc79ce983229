package dev.muster.binder;

import dev.muster.schemas.job.PodTemplate;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The pod templates of a domain, as topic templates has them. */
final class TemplateStore implements Templates {

    private final Map<String, String> byHash = new ConcurrentHashMap<>();

    @Override
    public Optional<String> json(String hash) {
        return Optional.ofNullable(byHash.get(hash));
    }

    /** Takes a record of the topic in; its key is domain/hash. */
    void take(String key, PodTemplate template) {
        if (template != null) {
            byHash.put(template.getHash(), template.getJson());
        } else if (key != null) {
            byHash.remove(key.substring(key.lastIndexOf('/') + 1));
        }
    }
}
