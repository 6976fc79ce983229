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
 * The health of a node's GPUs, read from its labels, taints and conditions. A value that cannot be read is a signal of
 * severity UNKNOWN: visible, and it changes nothing.
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
        List<HealthSignal> signals = new ArrayList<>();
        ecc(node, signals);
        xid(node, signals);
        conditions(node, signals);
        labels(node, signals);
        signals.sort(Comparator.comparing(HealthSignal::getSource)
                .thenComparing(HealthSignal::getKind)
                .thenComparing(HealthSignal::getValue));
        return Mapped.of(signals.size() <= MOST_SIGNALS ? signals : List.copyOf(signals.subList(0, MOST_SIGNALS)));
    }

    private void ecc(Node node, List<HealthSignal> signals) {
        String text = labelsOf(node).get(mapping.eccLabel());
        if (text == null) {
            return;
        }
        String source = "label " + mapping.eccLabel();
        // Above 18 digits is above every threshold; below zero or not a number is nothing a counter says.
        if (!text.matches("[0-9]{1,63}")) {
            signals.add(signal("ECC", HealthSeverity.UNKNOWN, text, source));
            return;
        }
        long errors = text.length() > 18 ? Long.MAX_VALUE : Long.parseLong(text);
        if (errors > 0) {
            HealthSeverity severity = errors > mapping.eccThreshold() ? HealthSeverity.FATAL : HealthSeverity.DEGRADED;
            signals.add(signal("ECC", severity, text, source));
        }
    }

    private void xid(Node node, List<HealthSignal> signals) {
        var taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        if (taints == null) {
            return;
        }
        for (var taint : taints) {
            if (!mapping.xidTaint().equals(taint.getKey())) {
                continue;
            }
            String source = "taint " + mapping.xidTaint();
            String value = taint.getValue() == null ? "" : taint.getValue();
            // A taint's value may hold no commas: several codes are joined by one of the characters it may hold.
            for (String code : value.split("[_.]", MOST_SIGNALS)) {
                HealthSignal signal = signal("XID", severityOf(code), code, source);
                if (!signals.contains(signal)) {
                    signals.add(signal);
                }
            }
        }
    }

    private HealthSeverity severityOf(String xid) {
        if (!xid.matches("[0-9]{1,6}")) {
            return HealthSeverity.UNKNOWN;
        }
        int code = Integer.parseInt(xid);
        if (mapping.fatalXids().contains(code)) {
            return HealthSeverity.FATAL;
        }
        return mapping.harmlessXids().contains(code) ? HealthSeverity.INFO : HealthSeverity.DEGRADED;
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
            signals.add(signal(known.kind(), known.severity(), value, source));
        } else if (!known.goodValues().contains(String.valueOf(state))) {
            signals.add(signal(known.kind(), HealthSeverity.UNKNOWN, String.valueOf(state), source));
        }
    }

    private static HealthSignal signal(String kind, HealthSeverity severity, String value, String source) {
        HealthScope scope = kind.equals("NVLINK") ? HealthScope.LINK : HealthScope.NODE;
        String text = value == null ? "" : value;
        String cut = text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE);
        return new HealthSignal(scope, -1, kind, severity, cut, source);
    }

    private static Map<String, String> labelsOf(Node node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }
}
