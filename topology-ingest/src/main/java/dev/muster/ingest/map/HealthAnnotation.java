package dev.muster.ingest.map;

import dev.muster.schemas.event.HealthScope;
import dev.muster.schemas.event.HealthSeverity;
import dev.muster.schemas.event.HealthSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Annotation {@code muster.dev/gpu-health} of a node: what a health agent says of its GPUs and their links, such as {@code
 * gpu=3 xid=79; gpu=GPU-5a1c… ecc=12 ttl=1h; link=0-1 nvlink=down; thermal=slowdown}. Without {@code gpu} or {@code link} it
 * is said of the node. {@code severity} overrules what follows from the value, {@code at} (any text) makes an entry news.
 */
final class HealthAnnotation {
    private static final int MOST_ENTRIES = 64;
    private static final int MOST_WORDS = 8;
    private static final Map<String, HealthSeverity> SEVERITIES = Map.of(
            "info", HealthSeverity.INFO,
            "degraded", HealthSeverity.DEGRADED,
            "recoverable", HealthSeverity.RECOVERABLE,
            "fatal", HealthSeverity.FATAL);
    private static final Map<String, HealthSeverity> THERMAL = Map.of(
            "ok", HealthSeverity.INFO,
            "slowdown", HealthSeverity.DEGRADED,
            "shutdown", HealthSeverity.FATAL);
    private static final Map<String, HealthSeverity> NVLINK =
            Map.of("up", HealthSeverity.INFO, "down", HealthSeverity.FATAL);
    private static final List<String> KINDS = List.of("xid", "ecc", "thermal", "nvlink");

    private final HealthMapping mapping;
    private final List<String> uuids;

    HealthAnnotation(HealthMapping mapping, List<String> uuids) {
        this.mapping = mapping;
        this.uuids = uuids;
    }

    /** Its signals; an entry that cannot be read is one of severity UNKNOWN. */
    List<HealthSignal> read(String text) {
        List<HealthSignal> signals = new ArrayList<>();
        for (String entry : text.split(";", MOST_ENTRIES + 1)) {
            if (!entry.isBlank()) {
                HealthSignal signal = entry(entry.strip());
                signals.add(
                        signal != null ? signal : signal(GpuRef.NONE, -1, "NPD", HealthSeverity.UNKNOWN, entry, 0L));
            }
        }
        // Healthy is not worth a signal.
        signals.removeIf(signal ->
                signal.getSeverity() == HealthSeverity.INFO && !signal.getKind().equals("XID"));
        return signals;
    }

    /** Null where it cannot be read. */
    private HealthSignal entry(String entry) {
        Map<String, String> words = new TreeMap<>();
        for (String word : entry.split("\\s+", MOST_WORDS + 1)) {
            int equals = word.indexOf('=');
            if (equals < 1 || words.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
                return null;
            }
        }
        List<String> kinds = KINDS.stream().filter(words::containsKey).toList();
        if (kinds.size() != 1) {
            return null;
        }
        String kind = kinds.getFirst();
        String value = words.remove(kind);
        HealthSeverity severity = severity(kind, value);
        String overruled = words.remove("severity");
        if (overruled != null && SEVERITIES.containsKey(overruled)) {
            severity = SEVERITIES.get(overruled);
        }
        long ttlMillis = ttlMillis(words.remove("ttl"));
        String at = words.remove("at");
        String gpu = words.remove("gpu");
        String link = words.remove("link");
        boolean understood = severity != null && ttlMillis >= 0 && words.isEmpty() && (gpu == null || link == null);
        if (!understood || link != null && !link.matches("[0-9]{1,3}-[0-9]{1,3}")) {
            return null;
        }
        GpuRef ref = GpuRef.of(link != null ? link.substring(0, link.indexOf('-')) : gpu == null ? "" : gpu, uuids);
        GpuRef peer = GpuRef.of(link == null ? "" : link.substring(link.indexOf('-') + 1), uuids);
        String said = ref.unknown() + value + (at == null ? "" : " at " + at);
        return signal(ref, peer.device(), kind.toUpperCase(Locale.ROOT), severity, said, ttlMillis);
    }

    private HealthSeverity severity(String kind, String value) {
        return switch (kind) {
            case "xid" -> mapping.xidSeverity(value);
            case "ecc" -> mapping.eccSeverity(value) == null ? HealthSeverity.INFO : mapping.eccSeverity(value);
            case "thermal" -> THERMAL.get(value);
            default -> NVLINK.get(value);
        };
    }

    private HealthSignal signal(
            GpuRef gpu, int peer, String kind, HealthSeverity severity, String value, long ttlMillis) {
        HealthScope scope =
                kind.equals("NVLINK") ? HealthScope.LINK : gpu.device() < 0 ? HealthScope.NODE : HealthScope.DEVICE;
        String source = "annotation " + mapping.annotation();
        return new HealthSignal(
                scope, gpu.device(), kind, severity, GpuHealthMapper.cut(value), source, peer, ttlMillis);
    }

    /** 0 where none is given, -1 where it cannot be read; at most a year. */
    private static long ttlMillis(String text) {
        if (text == null) {
            return 0;
        }
        if (!text.matches("[1-9][0-9]{0,5}[smhd]")) {
            return -1;
        }
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        long unit = switch (text.charAt(text.length() - 1)) {
            case 's' -> 1_000L;
            case 'm' -> 60_000L;
            case 'h' -> 3_600_000L;
            default -> 86_400_000L;
        };
        return number * unit <= 365 * 86_400_000L ? number * unit : -1;
    }
}
