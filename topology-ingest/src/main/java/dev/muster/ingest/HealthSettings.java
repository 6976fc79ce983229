package dev.muster.ingest;

import dev.muster.ingest.map.HealthMapping;
import dev.muster.ingest.map.HealthMapping.Signal;
import dev.muster.schemas.event.HealthSeverity;
import dev.muster.service.Key;
import dev.muster.service.Kind;
import dev.muster.service.Values;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Settings of an ingest that say where the health of GPUs is read from. */
final class HealthSettings {
    private static final HealthMapping DEFAULTS = HealthMapping.defaults();
    private static final Pattern SOURCE =
            Pattern.compile("(!?)([A-Za-z0-9][A-Za-z0-9._/-]{0,316})=(XID|ECC|THERMAL|NVLINK|NPD):([a-z]+)");

    private static final Key<String> ECC_LABEL = Key.of(
            "health.ecc.label",
            Kind.text(),
            DEFAULTS.eccLabel(),
            "node label with the number of uncorrected ECC errors; of one GPU where a dot and its index or UUID follow");
    private static final Key<Integer> ECC_THRESHOLD = Key.of(
            "health.ecc.threshold",
            Kind.integer(0, Integer.MAX_VALUE),
            String.valueOf(DEFAULTS.eccThreshold()),
            "more uncorrected ECC errors than that are fatal, fewer degrade");
    private static final Key<String> XID_TAINT = Key.of(
            "health.xid.taint",
            Kind.text(),
            DEFAULTS.xidTaint(),
            "node taint whose value is an XID code, or several joined by _ or .; of one GPU like the label");
    private static final Key<List<Integer>> FATAL = xids(
            "health.xid.fatal",
            DEFAULTS.fatalXids(),
            "XID codes after which neither the GPU nor what ran there can go on");
    private static final Key<List<Integer>> RECOVERABLE = xids(
            "health.xid.recoverable",
            DEFAULTS.recoverableXids(),
            "XID codes after which the GPU must be reset, once what runs there has ended");
    private static final Key<List<Integer>> INFORMATIONAL = xids(
            "health.xid.informational",
            DEFAULTS.informationalXids(),
            "XID codes that the application causes; codes in no list degrade");
    private static final Key<String> ANNOTATION =
            Key.of("health.annotation", Kind.text(), DEFAULTS.annotation(), "node annotation of a GPU health agent");
    private static final Key<List<Map.Entry<String, Signal>>> CONDITIONS = sources(
            "health.conditions",
            DEFAULTS.conditions(),
            "node conditions that tell of GPU trouble when they are True, or, after a !, when they are False");
    private static final Key<List<Map.Entry<String, Signal>>> LABELS = sources(
            "health.labels",
            DEFAULTS.labels(),
            "node labels that tell of GPU trouble when they are true, or, after a !, when they are false");

    private HealthSettings() {}

    static List<Key<?>> keys() {
        return List.of(
                ECC_LABEL, ECC_THRESHOLD, XID_TAINT, FATAL, RECOVERABLE, INFORMATIONAL, ANNOTATION, CONDITIONS, LABELS);
    }

    /** Null where something cannot be read. */
    static HealthMapping read(Values values) {
        String eccLabel = values.get(ECC_LABEL);
        Integer threshold = values.get(ECC_THRESHOLD);
        String taint = values.get(XID_TAINT);
        List<Integer> fatal = values.get(FATAL);
        List<Integer> recoverable = values.get(RECOVERABLE);
        List<Integer> informational = values.get(INFORMATIONAL);
        String annotation = values.get(ANNOTATION);
        List<Map.Entry<String, Signal>> conditions = values.get(CONDITIONS);
        List<Map.Entry<String, Signal>> labels = values.get(LABELS);
        if (values.hasProblems()) {
            return null;
        }
        return new HealthMapping(
                eccLabel,
                threshold,
                taint,
                new HashSet<>(fatal),
                new HashSet<>(recoverable),
                new HashSet<>(informational),
                annotation,
                byName(conditions),
                byName(labels));
    }

    private static Map<String, Signal> byName(List<Map.Entry<String, Signal>> sources) {
        Map<String, Signal> byName = new TreeMap<>();
        sources.forEach(source -> byName.put(source.getKey(), source.getValue()));
        return byName;
    }

    private static Key<List<Integer>> xids(String name, Set<Integer> usual, String about) {
        String text = usual.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
        return Key.of(name, Kind.listOf(Kind.integer(0, 999_999)), text, about);
    }

    private static Key<List<Map.Entry<String, Signal>>> sources(String name, Map<String, Signal> usual, String about) {
        Function<String, Map.Entry<String, Signal>> parser = HealthSettings::source;
        String text = new TreeMap<>(usual)
                .entrySet().stream()
                        .map(source -> written(source.getKey(), source.getValue()))
                        .collect(Collectors.joining(","));
        Kind<Map.Entry<String, Signal>> kind = new Kind<>(
                "NAME=KIND:SEVERITY with kind XID, ECC, THERMAL, NVLINK or NPD and severity info, degraded, recoverable or"
                        + " fatal",
                parser);
        return Key.of(name, Kind.listOf(kind), text, about);
    }

    private static String written(String name, Signal signal) {
        String sign = signal.badValues().contains("False") ? "!" : "";
        return sign + name + "=" + signal.kind() + ":"
                + signal.severity().name().toLowerCase(Locale.ROOT);
    }

    private static Map.Entry<String, Signal> source(String text) {
        Matcher matcher = SOURCE.matcher(text);
        if (!matcher.matches() || matcher.group(4).equals("unknown")) {
            throw new IllegalArgumentException("no source of health signals");
        }
        HealthSeverity severity = HealthSeverity.valueOf(matcher.group(4).toUpperCase(Locale.ROOT));
        String kind = matcher.group(3);
        Signal signal = matcher.group(1).isEmpty() ? Signal.whenTrue(kind, severity) : Signal.whenFalse(kind, severity);
        return Map.entry(matcher.group(2), signal);
    }
}
