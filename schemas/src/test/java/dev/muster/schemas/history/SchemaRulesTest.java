package dev.muster.schemas.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.serde.AvroSerde;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every schema of a topic. Each rule also meets a schema that breaks it. */
class SchemaRulesTest {
    @BeforeAll
    static void trust() {
        AvroSerde.trustGeneratedClasses();
    }

    static Stream<Class<? extends SpecificRecord>> types() {
        return Releases.types().values().stream();
    }

    /** Readers of the topics have nothing but the schema to read. */
    @ParameterizedTest
    @MethodSource("types")
    void everyTypeAndFieldSaysWhatItIs(Class<? extends SpecificRecord> type) {
        assertThat(undocumented(AvroSerde.schemaOf(type))).isEmpty();
    }

    @Test
    void aTypeOrFieldThatDoesNotIsFound() {
        Schema bad = SchemaBuilder.record("R").fields().requiredInt("a").endRecord();
        assertThat(undocumented(bad)).containsExactly("R", "R.a");
    }

    /** Decoding a type that contains itself takes as much stack as a stranger likes. */
    @ParameterizedTest
    @MethodSource("types")
    void noTypeContainsItself(Class<? extends SpecificRecord> type) {
        assertThat(recursive(AvroSerde.schemaOf(type), List.of())).isEmpty();
    }

    @Test
    void aTypeThatDoesIsFound() {
        Schema bad = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"r\",\"type\":[\"null\",\"R\"]}]}");
        assertThat(recursive(bad, List.of())).containsExactly("R");
    }

    /**
     * A generated class and the schemas that embed it come from the same IDL. They do not when only one of two IDL files
     * was generated again: the Avro plugin does not look at imports.
     */
    @ParameterizedTest
    @MethodSource("types")
    void everyClassHasTheSchemaThatOthersEmbed(Class<? extends SpecificRecord> type) {
        SpecificData model = SpecificData.getForClass(type);
        namedTypes(model.getSchema(type)).values().stream()
                .filter(schema -> schema.getType() == Schema.Type.RECORD)
                .forEach(embedded -> assertThat(model.getSchema(model.getClass(embedded)))
                        .as("generate again: mvn -pl schemas clean")
                        .isEqualTo(embedded));
    }

    private static List<String> undocumented(Schema schema) {
        List<String> missing = new ArrayList<>();
        namedTypes(schema).forEach((name, type) -> {
            if (isBlank(type.getDoc())) {
                missing.add(name);
            }
            if (type.getType() == Schema.Type.RECORD) {
                type.getFields().stream()
                        .filter(field -> isBlank(field.doc()))
                        .forEach(field -> missing.add(name + "." + field.name()));
            }
        });
        return missing;
    }

    private static List<String> recursive(Schema schema, List<String> around) {
        if (schema.getType() == Schema.Type.RECORD && around.contains(schema.getFullName())) {
            return List.of(schema.getFullName());
        }
        List<String> inside = new ArrayList<>(around);
        if (schema.getType() == Schema.Type.RECORD) {
            inside.add(schema.getFullName());
        }
        return parts(schema).stream()
                .flatMap(part -> recursive(part, inside).stream())
                .toList();
    }

    private static Map<String, Schema> namedTypes(Schema schema) {
        Map<String, Schema> named = new LinkedHashMap<>();
        collect(schema, named);
        return named;
    }

    private static void collect(Schema schema, Map<String, Schema> named) {
        boolean hasName = schema.getType() == Schema.Type.RECORD || schema.getType() == Schema.Type.ENUM;
        if (!hasName || named.putIfAbsent(schema.getFullName(), schema) == null) {
            parts(schema).forEach(part -> collect(part, named));
        }
    }

    private static List<Schema> parts(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> schema.getFields().stream().map(Schema.Field::schema).toList();
            case UNION -> schema.getTypes();
            case ARRAY -> List.of(schema.getElementType());
            case MAP -> List.of(schema.getValueType());
            default -> List.of();
        };
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }
}
