package dev.muster.ingest.map;

import dev.muster.schemas.event.HealthSeverity;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the health of GPUs is read from, and what it asks for.
 *
 * @param eccLabel label with the number of uncorrected ECC errors
 * @param eccThreshold errors above this number are fatal, fewer degrade the node
 * @param xidTaint taint whose value is the XID code, or several joined by {@code _} or {@code .}
 * @param fatalXids XID codes that mean broken hardware or a GPU that must be reset
 * @param harmlessXids XID codes that the application causes; codes in neither set degrade the node
 * @param conditions node conditions that tell of GPU trouble, by type
 * @param labels labels that tell of GPU trouble (node feature discovery, GPU feature discovery), by key
 */
public record HealthMapping(
        String eccLabel,
        int eccThreshold,
        String xidTaint,
        Set<Integer> fatalXids,
        Set<Integer> harmlessXids,
        Map<String, Signal> conditions,
        Map<String, Signal> labels) {

    /**
     * A condition or label that is bad news.
     *
     * @param badValues values (of a condition: its status) that mean trouble
     * @param goodValues values that mean health; any other value is reported as unknown
     * @param kind XID, ECC, THERMAL, NVLINK or NPD
     * @param severity what it asks for
     */
    public record Signal(List<String> badValues, List<String> goodValues, String kind, HealthSeverity severity) {
        public Signal {
            badValues = List.copyOf(badValues);
            goodValues = List.copyOf(goodValues);
        }

        static Signal whenTrue(String kind, HealthSeverity severity) {
            return new Signal(List.of("True", "true"), List.of("False", "false"), kind, severity);
        }

        static Signal whenFalse(String kind, HealthSeverity severity) {
            return new Signal(List.of("False", "false"), List.of("True", "true"), kind, severity);
        }
    }

    public HealthMapping {
        fatalXids = Set.copyOf(fatalXids);
        harmlessXids = Set.copyOf(harmlessXids);
        conditions = Map.copyOf(conditions);
        labels = Map.copyOf(labels);
    }

    /**
     * What is commonly found: the label and taint of GPU operators, the node problem detector conditions that AKS ships
     * for GPU nodes, the condition of the EKS node monitoring agent, and NFD features of a local health check. XID classes
     * follow NVIDIA's catalogue of XID errors: 48 double bit ECC, 63 and 64 row remapping, 74 NVLink, 79 fallen off the
     * bus, 92 and 94 to 95 contained and uncontained ECC, 119 and 120 GSP; 13, 31, 43 and 45 follow from the application.
     */
    public static HealthMapping defaults() {
        return new HealthMapping(
                "nvidia.com/ecc-uncorrected",
                10,
                "nvidia.com/xid-error",
                Set.of(48, 63, 64, 74, 79, 92, 94, 95, 119, 120),
                Set.of(13, 31, 43, 45),
                Map.of(
                        "GPUMissing", Signal.whenTrue("NPD", HealthSeverity.FATAL),
                        "XIDErrors", Signal.whenTrue("XID", HealthSeverity.FATAL),
                        "NVLinkStatusInactive", Signal.whenTrue("NVLINK", HealthSeverity.FATAL),
                        "UnhealthyNvidiaDevicePlugin", Signal.whenTrue("NPD", HealthSeverity.FATAL),
                        "UnhealthyNvidiaDCGMServices", Signal.whenTrue("NPD", HealthSeverity.DEGRADED),
                        "IBLinkFlapping", Signal.whenTrue("NPD", HealthSeverity.DEGRADED),
                        "AcceleratedHardwareReady", Signal.whenFalse("NPD", HealthSeverity.FATAL)),
                Map.of(
                        "feature.node.kubernetes.io/gpu-thermal-throttled",
                                Signal.whenTrue("THERMAL", HealthSeverity.DEGRADED),
                        "feature.node.kubernetes.io/gpu-nvlink-down", Signal.whenTrue("NVLINK", HealthSeverity.FATAL),
                        "feature.node.kubernetes.io/gpu-unhealthy", Signal.whenTrue("NPD", HealthSeverity.FATAL)));
    }
}
