package dev.muster.standalone.services;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** What the manifests in deploy/kubernetes say. */
public final class GrantedRights {
    private GrantedRights() {}

    /** Documents of a file there. */
    public static List<JsonNode> documents(String file) {
        Path path = Services.root().resolve("deploy").resolve("kubernetes").resolve(file);
        try {
            List<JsonNode> documents = new ArrayList<>();
            for (Object document : new Yaml(new LoaderOptions()).loadAll(Files.readString(path))) {
                documents.add(new YAMLMapper().valueToTree(document));
            }
            return documents;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Rights that the roles of a file give, as verb, resource and group: {@code list jobs.batch}, {@code get pods}. */
    public static Set<String> in(String file) {
        Set<String> rights = new TreeSet<>();
        documents(file).forEach(document -> rights.addAll(of(document)));
        return rights;
    }

    /** The same of one role; none of any other document. */
    static Set<String> of(JsonNode document) {
        Set<String> rights = new TreeSet<>();
        for (JsonNode rule : document.path("rules")) {
            for (JsonNode group : rule.path("apiGroups")) {
                for (JsonNode resource : rule.path("resources")) {
                    for (JsonNode verb : rule.path("verbs")) {
                        String ofGroup = group.asText().isEmpty() ? "" : "." + group.asText();
                        rights.add(verb.asText() + " " + resource.asText() + ofGroup);
                    }
                }
            }
        }
        return rights;
    }
}
