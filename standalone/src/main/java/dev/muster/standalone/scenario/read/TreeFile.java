package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A file that holds one object, YAML or JSON, read as manifests are: for readers of other files than scenarios. */
public final class TreeFile {
    private TreeFile() {}

    /**
     * The object.
     *
     * @param source name of the file, for messages
     * @throws ScenarioFormatException with file and line where the bytes are something else
     */
    public static ObjectNode one(String source, byte[] bytes) {
        List<Document> documents = Documents.read(source, bytes);
        if (documents.size() != 1) {
            throw new ScenarioFormatException(source + ": expected one object, got " + documents.size());
        }
        return documents.get(0).tree();
    }
}
