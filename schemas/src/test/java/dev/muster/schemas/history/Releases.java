package dev.muster.schemas.history;

import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.Samples;
import dev.muster.schemas.topic.Topics;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/**
 * The schemas of every released version: {@code released/VERSION/TOPIC.avsc}, and records written with them in
 * {@code TOPIC.avro} (an Avro data file). Tenants' topics are called jobs and results.
 */
final class Releases {
    static final Path FOLDER = Path.of("src", "test", "resources", "released");

    // A data file's blocks are separated by a mark; a fixed one makes the same records the same file.
    private static final byte[] MARK = new byte[16];

    private Releases() {}

    /** The class of each topic's values, by the topic's name without prefix and tenant. */
    static Map<String, Class<? extends SpecificRecord>> types() {
        Map<String, Class<? extends SpecificRecord>> types = new LinkedHashMap<>();
        new Topics("").valueTypes(List.of("any")).forEach((topic, type) -> types.put(topic.replace(".any", ""), type));
        return types;
    }

    /** Folders of all released versions, oldest first. */
    static List<Path> all() throws IOException {
        try (Stream<Path> folders = Files.list(FOLDER)) {
            return folders.filter(Files::isDirectory)
                    .sorted(Comparator.comparing(folder -> Runtime.Version.parse(
                            significant(folder.getFileName().toString()))))
                    .toList();
        }
    }

    static Schema schema(Path release, String topic) throws IOException {
        return new Schema.Parser().parse(release.resolve(topic + ".avsc").toFile());
    }

    static File samples(Path release, String topic) {
        return release.resolve(topic + ".avro").toFile();
    }

    /** Topics that had a schema in a release. */
    static List<String> topics(Path release) throws IOException {
        try (Stream<Path> files = Files.list(release)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".avsc"))
                    .map(name -> name.substring(0, name.length() - ".avsc".length()))
                    .sorted()
                    .toList();
        }
    }

    /** Writes the current schemas as those of a version. */
    static void write(Path release) throws IOException {
        Files.createDirectories(release);
        for (Map.Entry<String, Class<? extends SpecificRecord>> entry : types().entrySet()) {
            Schema schema = AvroSerde.schemaOf(entry.getValue());
            Files.writeString(
                    release.resolve(entry.getKey() + ".avsc"), SchemaFormatter.format("json/pretty", schema) + "\n");
            try (OutputStream out = Files.newOutputStream(
                            samples(release, entry.getKey()).toPath());
                    DataFileWriter<GenericData.Record> file =
                            new DataFileWriter<>(new GenericDatumWriter<GenericData.Record>(schema))) {
                file.create(schema, out, MARK);
                for (GenericData.Record sample : Samples.of(schema)) {
                    file.append(sample);
                }
            }
        }
    }

    // Runtime.Version allows no zeros at the end.
    private static String significant(String version) {
        String[] parts = version.split("\\.");
        return (Integer.parseInt(parts[0]) + 1) + "." + parts[1] + "." + parts[2] + ".1";
    }
}
