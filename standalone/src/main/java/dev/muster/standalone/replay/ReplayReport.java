package dev.muster.standalone.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.Counts;
import java.util.List;
import java.util.Optional;

/**
 * What a replay found.
 *
 * @param domain the domain
 * @param entries journal entries replayed
 * @param ticks how many of them were rounds
 * @param decisions decisions that the replay made
 * @param engines engines that decided, in the journal's order
 * @param engine the engine that replayed
 * @param problem why the journal could not be replayed to its end: a gap, damage, a law that broke; empty otherwise
 * @param comparison how the decisions compare with those on the topic; empty when that was not asked for
 */
public record ReplayReport(
        String domain,
        long entries,
        long ticks,
        long decisions,
        List<EngineSpan> engines,
        String engine,
        Optional<String> problem,
        Optional<Comparison> comparison) {
    public ReplayReport {
        engines = List.copyOf(engines);
    }

    /** An engine and the sequence of the entry from which on it decides. */
    public record EngineSpan(String version, long fromSequence) {}

    /**
     * Decisions replayed against decisions recorded.
     *
     * @param equal equal byte for byte
     * @param differences decisions that are different, missing, extra or damaged
     * @param first the first difference
     */
    public record Comparison(long equal, long differences, Optional<Difference> first) {}

    /** Whether the journal was replayed to its end and nothing differs. */
    public boolean good() {
        return problem.isEmpty() && comparison.map(c -> c.differences() == 0).orElse(true);
    }

    /** Engines of the journal other than the one that replayed: their decisions are not expected to be equal. */
    public List<EngineSpan> otherEngines() {
        return engines.stream().filter(span -> !span.version().equals(engine)).toList();
    }

    /** The stable form for programs. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("domain", domain)
                .put("entries", entries)
                .put("rounds", ticks)
                .put("decisions", decisions)
                .put("engine", engine)
                .put("good", good());
        var spans = json.putArray("journalEngines");
        engines.forEach(
                span -> spans.addObject().put("version", span.version()).put("fromSequence", span.fromSequence()));
        json.put("problem", problem.orElse(null));
        json.put("verified", comparison.isPresent());
        comparison.ifPresent(compared -> {
            json.put("equal", compared.equal()).put("differences", compared.differences());
            json.set(
                    "firstDifference",
                    compared.first().map(ReplayReport::toJson).orElse(null));
        });
        return json;
    }

    /** For people. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        text.append("domain ")
                .append(domain)
                .append(": ")
                .append(Counts.of(entries, "entry"))
                .append(", ");
        text.append(Counts.of(ticks, "round")).append(", ").append(Counts.of(decisions, "decision"));
        text.append(" replayed\n");
        for (EngineSpan other : otherEngines()) {
            text.append("from entry ")
                    .append(other.fromSequence())
                    .append(" on engine ")
                    .append(other.version());
            text.append(" decided; this is engine ").append(engine).append(": its decisions need not be equal\n");
        }
        comparison.ifPresent(compared -> {
            text.append(Counts.of(compared.equal(), "decision")).append(" equal, byte for byte");
            text.append(", ").append(compared.differences()).append(" not\n");
            compared.first().ifPresent(first -> append(text, first));
        });
        problem.ifPresent(why -> text.append("the journal was not replayed to its end: ")
                .append(why)
                .append('\n'));
        return text.toString();
    }

    private static void append(StringBuilder text, Difference first) {
        text.append("first difference: decision number ").append(first.index());
        if (!first.id().isEmpty()) {
            text.append(", id ").append(first.id());
        }
        if (first.offset() >= 0) {
            text.append(", offset ").append(first.offset());
        }
        text.append(": ").append(first.message()).append('\n');
        for (Difference.Field field : first.fields()) {
            text.append("  ").append(field.path()).append(": replayed ").append(field.replayed());
            text.append(", recorded ").append(field.recorded()).append('\n');
        }
    }

    private static ObjectNode toJson(Difference first) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("kind", first.kind().name())
                .put("index", first.index())
                .put("id", first.id())
                .put("offset", first.offset())
                .put("message", first.message());
        var fields = json.putArray("fields");
        first.fields()
                .forEach(field -> fields.addObject()
                        .put("path", field.path())
                        .put("replayed", field.replayed())
                        .put("recorded", field.recorded()));
        return json;
    }
}
