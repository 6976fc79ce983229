package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListingTest {
    private record Node(String name, int gpus) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Node> NODES = List.of(new Node("b", 10), new Node("a", 9), new Node("c", 100));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final OutputOptions options = new OutputOptions();
    private final Listing<Node> listing = new Listing<Node>("nodes", Node::name, n -> {
                var json = JSON.createObjectNode().put("name", n.name());
                json.putObject("gpus").put("total", n.gpus());
                return json;
            })
            .column("NAME", Node::name)
            .wideColumn("GPUS", n -> String.valueOf(n.gpus()));

    @Test
    void tableAndWideAndName() {
        assertThat(print(NODES)).isEqualTo("NAME\nb\na\nc\n");
        options.format = OutputFormat.wide;
        assertThat(print(NODES)).isEqualTo("NAME   GPUS\nb      10\na      9\nc      100\n");
        options.noHeaders = true;
        assertThat(print(NODES)).isEqualTo("b   10\na   9\nc   100\n");
        options.format = OutputFormat.name;
        assertThat(print(NODES)).isEqualTo("b\na\nc\n");
    }

    @Test
    void jsonAndYamlHoldItems() throws Exception {
        options.format = OutputFormat.json;
        assertThat(JSON.readTree(print(NODES)).at("/items/1/gpus/total").asInt())
                .isEqualTo(9);
        assertThat(JSON.readTree(print(List.of())).get("items").isEmpty()).isTrue();
        options.format = OutputFormat.yaml;
        assertThat(print(NODES)).startsWith("items:\n").contains("name: b");
    }

    @Test
    void numbersSortAsNumbers() {
        options.sortBy = ".gpus.total";
        assertThat(print(NODES)).isEqualTo("NAME\na\nb\nc\n");
        options.sortBy = "name";
        assertThat(print(NODES)).isEqualTo("NAME\na\nb\nc\n");
    }

    @Test
    void anUnknownFieldIsRefusedWithTheKnownOnes() {
        options.sortBy = ".age";
        assertThatThrownBy(() -> print(NODES)).hasMessage("--sort-by .age: no such field; expected one of name, gpus");
    }

    @Test
    void anEmptyListSaysSoOnStderrOnly() {
        assertThat(print(List.of())).isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("No nodes found.\n");
    }

    @Test
    void controlCharactersDoNotReachTheTerminal() {
        assertThat(print(List.of(new Node("a\u001b[31m", 1)))).doesNotContain("\u001b");
    }

    private String print(List<Node> nodes) {
        out.reset();
        Environment environment = new Environment(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(),
                false,
                false,
                100);
        listing.print(environment, options, nodes);
        return out.toString(StandardCharsets.UTF_8);
    }
}
