package dev.muster.schemas.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.serde.AvroSerde;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What any released version wrote can be read. To add a release, when its version is final and before its tag:
 *
 * <pre>mvn -pl schemas test -Dtest=SchemaHistoryTest -Dmuster.release=0.2.0</pre>
 *
 * and commit the new folder under src/test/resources/released. Folders of released versions are never changed; the
 * folder of a version that is not out yet may be deleted and written again.
 */
class SchemaHistoryTest {
    private static final String HOW_TO_GO_ON =
            "%s of release %s cannot be read any more: give new fields a default, keep names and enum symbols. (If"
                    + " %2$s is not released yet, delete its folder and write it again as the comment of this test says.)";

    @BeforeAll
    static void trust() {
        AvroSerde.trustGeneratedClasses();
    }

    static Stream<Arguments> releasedTopics() throws IOException {
        List<Arguments> all = new ArrayList<>();
        for (Path release : Releases.all()) {
            for (String topic : Releases.topics(release)) {
                all.add(Arguments.of(release.getFileName().toString(), topic));
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{1} of {0}")
    @MethodSource("releasedTopics")
    void theCurrentSchemaReadsWhatTheReleaseWrote(String version, String topic) throws IOException {
        assertThat(Releases.types())
                .as("topic %s of release %s has no class any more", topic, version)
                .containsKey(topic);
        Schema released = Releases.schema(Releases.FOLDER.resolve(version), topic);
        Schema current = AvroSerde.schemaOf(Releases.types().get(topic));
        assertThat(SchemaCompatibility.checkReaderWriterCompatibility(current, released)
                        .getResult()
                        .getIncompatibilities())
                .as(HOW_TO_GO_ON, topic, version)
                .isEmpty();
    }

    @ParameterizedTest(name = "{1} of {0}")
    @MethodSource("releasedTopics")
    void theCurrentClassReadsTheReleasesRecordsAsTheyWereMeant(String version, String topic) throws IOException {
        Class<? extends SpecificRecord> type = Releases.types().get(topic);
        Path release = Releases.FOLDER.resolve(version);
        List<IndexedRecord> asWritten = read(release, topic, new GenericDatumReader<>());
        List<IndexedRecord> asRead =
                read(release, topic, new SpecificDatumReader<>(null, schemaOf(type), SpecificData.getForClass(type)));
        assertThat(asRead).hasSameSizeAs(asWritten).isNotEmpty();
        for (int i = 0; i < asRead.size(); i++) {
            assertThat(asRead.get(i)).isExactlyInstanceOf(type);
            assertSameFacts(topic, asWritten.get(i), asRead.get(i));
        }
    }

    @Test
    void theNewestReleaseHasEveryTopicOrTheTopicIsNew() throws IOException {
        assertThat(Releases.all()).isNotEmpty();
        assertThat(Releases.topics(Releases.all().getLast()))
                .isSubsetOf(Releases.types().keySet());
    }

    @Test
    @EnabledIfSystemProperty(named = "muster.release", matches = "\\d+\\.\\d+\\.\\d+")
    void writesTheCurrentSchemasAsARelease() throws IOException {
        Path release = Releases.FOLDER.resolve(System.getProperty("muster.release"));
        assertThat(Files.exists(release)).as("%s was released before", release).isFalse();
        Releases.write(release);
    }

    private static Schema schemaOf(Class<? extends SpecificRecord> type) {
        return SpecificData.getForClass(type).getSchema(type);
    }

    private static List<IndexedRecord> read(Path release, String topic, GenericDatumReader<IndexedRecord> reader)
            throws IOException {
        List<IndexedRecord> records = new ArrayList<>();
        try (DataFileReader<IndexedRecord> file = new DataFileReader<>(Releases.samples(release, topic), reader)) {
            file.forEach(records::add);
        }
        return records;
    }

    // Fields that were dropped since are not compared, nor are those that are new.
    private static void assertSameFacts(String place, Object written, Object read) {
        if (written instanceof IndexedRecord record) {
            assertThat(read).as(place).isInstanceOf(IndexedRecord.class);
            for (Schema.Field field : record.getSchema().getFields()) {
                Schema.Field now = ((IndexedRecord) read).getSchema().getField(field.name());
                if (now != null) {
                    assertSameFacts(
                            place + "." + field.name(), record.get(field.pos()), ((IndexedRecord) read).get(now.pos()));
                }
            }
        } else if (written instanceof GenericData.Array<?> items) {
            assertThat((List<?>) read).as(place).hasSameSizeAs(items);
            for (int i = 0; i < items.size(); i++) {
                assertSameFacts(place + "[" + i + "]", items.get(i), ((List<?>) read).get(i));
            }
        } else {
            assertThat(String.valueOf(read)).as(place).isEqualTo(String.valueOf(written));
        }
    }
}
