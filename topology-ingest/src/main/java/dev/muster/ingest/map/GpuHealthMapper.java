package dev.muster.ingest.map;

import dev.muster.schemas.event.HealthScope;
import dev.muster.schemas.event.HealthSeverity;
import dev.muster.schemas.event.HealthSignal;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The health of a node's GPUs, read from its labels, taints, conditions and the annotation of a health agent. A value that
 * cannot be read is a signal of severity UNKNOWN: visible, and it changes nothing.
 *
 * <p>The ECC label and the XID taint speak of one GPU where a dot and its index or UUID follow the key, such as {@code
 * nvidia.com/ecc-uncorrected.3}.
 */
public final class GpuHealthMapper {

    private static final int LONGEST_VALUE = 64;
    private static final int MOST_SIGNALS = 64;

    private final HealthMapping mapping;

    /** A mapper that reads what {@code mapping} names. */
    public GpuHealthMapper(HealthMapping mapping) {
        this.mapping = mapping;
    }

    /** The signals that are on, sorted by source; an empty list for a healthy node. */
    public Mapped<List<HealthSignal>> map(Node node) {
        List<String> uuids = GpuTopology.uuids(annotationsOf(node));
        List<HealthSignal> signals = new ArrayList<>();
        ecc(node, uuids, signals);
        xid(node, uuids, signals);
        conditions(node, signals);
        labels(node, signals);
        String annotation = annotationsOf(node).get(mapping.annotation());
        if (annotation != null) {
            signals.addAll(new HealthAnnotation(mapping, uuids).read(annotation));
        }
        signals.sort(Comparator.comparing(HealthSignal::getSource)
                .thenComparing(HealthSignal::getKind)
                .thenComparing(HealthSignal::getValue)
                .thenComparing(HealthSignal::getDevice)
                .thenComparing(HealthSignal::getPeer));
        return Mapped.of(signals.size() <= MOST_SIGNALS ? signals : List.copyOf(signals.subList(0, MOST_SIGNALS)));
    }

    /** What follows a key and a dot; empty where the key stands alone, null for other keys. */
    private static String suffix(String key, String known) {
        if (key == null || !key.startsWith(known)) {
            return null;
        }
        String rest = key.substring(known.length());
        return rest.isEmpty() ? "" : rest.startsWith(".") && rest.length() > 1 ? rest.substring(1) : null;
    }

    private void ecc(Node node, List<String> uuids, List<HealthSignal> signals) {
        labelsOf(node).forEach((key, text) -> {
            String of = suffix(key, mapping.eccLabel());
            if (of != null) {
                HealthSeverity severity = mapping.eccSeverity(text);
                if (severity != null) {
                    signals.add(signal(GpuRef.of(of, uuids), "ECC", severity, text, "label " + key));
                }
            }
        });
    }

    private void xid(Node node, List<String> uuids, List<HealthSignal> signals) {
        var taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        if (taints == null) {
            return;
        }
        for (var taint : taints) {
            String of = suffix(taint.getKey(), mapping.xidTaint());
            if (of == null) {
                continue;
            }
            String value = taint.getValue() == null ? "" : taint.getValue();
            // A taint's value may hold no commas: several codes are joined by one of the characters it may hold.
            for (String code : value.split("[_.]", MOST_SIGNALS)) {
                HealthSignal signal =
                        signal(GpuRef.of(of, uuids), "XID", mapping.xidSeverity(code), code, "taint " + taint.getKey());
                if (!signals.contains(signal)) {
                    signals.add(signal);
                }
            }
        }
    }

    private void conditions(Node node, List<HealthSignal> signals) {
        var conditions = node.getStatus() == null ? null : node.getStatus().getConditions();
        if (conditions == null) {
            return;
        }
        for (var condition : conditions) {
            HealthMapping.Signal known =
                    condition.getType() == null ? null : mapping.conditions().get(condition.getType());
            if (known != null) {
                String reason = condition.getReason() == null ? condition.getStatus() : condition.getReason();
                add(signals, known, condition.getStatus(), reason, "condition " + condition.getType());
            }
        }
    }

    private void labels(Node node, List<HealthSignal> signals) {
        Map<String, String> labels = labelsOf(node);
        mapping.labels().forEach((key, known) -> {
            if (labels.containsKey(key)) {
                add(signals, known, labels.get(key), labels.get(key), "label " + key);
            }
        });
    }

    private static void add(
            List<HealthSignal> signals, HealthMapping.Signal known, String state, String value, String source) {
        if (known.badValues().contains(String.valueOf(state))) {
            signals.add(signal(GpuRef.NONE, known.kind(), known.severity(), value, source));
        } else if (!known.goodValues().contains(String.valueOf(state))) {
            signals.add(signal(GpuRef.NONE, known.kind(), HealthSeverity.UNKNOWN, String.valueOf(state), source));
        }
    }

    private static HealthSignal signal(GpuRef gpu, String kind, HealthSeverity severity, String value, String source) {
        HealthScope scope =
                kind.equals("NVLINK") ? HealthScope.LINK : gpu.device() < 0 ? HealthScope.NODE : HealthScope.DEVICE;
        return new HealthSignal(
                scope, gpu.device(), kind, severity, cut(gpu.unknown() + (value == null ? "" : value)), source, -1, 0L);
    }

    /** As much of a text as goes into a signal. */
    static String cut(String text) {
        return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE);
    }

    private static Map<String, String> labelsOf(Node node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    private static Map<String, String> annotationsOf(Node node) {
        Map<String, String> annotations = node.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }
}
