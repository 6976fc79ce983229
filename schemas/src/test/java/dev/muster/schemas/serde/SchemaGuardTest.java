package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class SchemaGuardTest {
    @Test
    void ordinarySchemasAreUsed() {
        assertThat(objection("\"string\"")).isNull();
        assertThat(objection("[\"null\",{\"type\":\"map\",\"values\":[\"null\",\"long\"]}]"))
                .isNull();
    }

    @Test
    void aTypeThatContainsItselfIsNot() {
        assertThat(
                        objection(
                                "{\"type\":\"record\",\"name\":\"A\",\"fields\":[{\"name\":\"b\",\"type\":{\"type\":\"record\","
                                        + "\"name\":\"B\",\"fields\":[{\"name\":\"a\",\"type\":{\"type\":\"array\",\"items\":\"A\"}}]}}]}"))
                .isEqualTo("type A contains itself");
    }

    @Test
    void aTypeThatIsUsedTwiceContainsNeither() {
        assertThat(
                        objection(
                                "{\"type\":\"record\",\"name\":\"A\",\"fields\":[{\"name\":\"b\",\"type\":{\"type\":\"record\","
                                        + "\"name\":\"B\",\"fields\":[{\"name\":\"x\",\"type\":\"int\"}]}},{\"name\":\"c\",\"type\":\"B\"}]}"))
                .isNull();
    }

    @Test
    void nestingIsCountedAlsoThroughTypesThatWereSeenBefore() {
        String half = "{\"type\":\"record\",\"name\":\"H\",\"fields\":[{\"name\":\"x\",\"type\":"
                + arrays(40, "\"int\"") + "}]}";
        assertThat(objection(half)).isNull();
        assertThat(objection("[" + half + "," + arrays(40, "\"H\"") + "]")).contains("64 deep");
    }

    @Test
    void aSchemaThatDoublesWithEachTypeIsLookedAtOnce() {
        StringBuilder types = new StringBuilder("[");
        types.append("{\"type\":\"record\",\"name\":\"T0\",\"fields\":[{\"name\":\"x\",\"type\":\"int\"}]}");
        for (int i = 1; i < 50; i++) {
            types.append(
                    ",{\"type\":\"record\",\"name\":\"T%d\",\"fields\":[{\"name\":\"a\",\"type\":\"T%d\"},{\"name\":\"b\",\"type\":\"T%d\"}]}"
                            .formatted(i, i - 1, i - 1));
        }
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(objection(types.append("]").toString())).isNull());
    }

    private static String objection(String schema) {
        return SchemaGuard.objection(new Schema.Parser().parse(schema));
    }

    private static String arrays(int depth, String item) {
        return "{\"type\":\"array\",\"items\":".repeat(depth) + item + "}".repeat(depth);
    }
}
