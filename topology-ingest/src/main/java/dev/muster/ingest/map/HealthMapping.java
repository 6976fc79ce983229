package dev.muster.ingest.map;

import dev.muster.schemas.event.HealthSeverity;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the health of GPUs is read from, and what it asks for.
 *
 * @param eccLabel label with the number of uncorrected ECC errors
 * @param eccThreshold errors above this number are fatal, fewer degrade
 * @param xidTaint taint whose value is the XID code, or several joined by {@code _} or {@code .}
 * @param fatalXids XID codes after which the GPU cannot be used, nor what ran on it go on
 * @param recoverableXids XID codes after which the GPU must be reset once what runs there has ended
 * @param informationalXids XID codes that the application causes; codes in no set degrade
 * @param annotation annotation of a health agent
 * @param conditions node conditions that tell of GPU trouble, by type
 * @param labels labels that tell of GPU trouble (node feature discovery, GPU feature discovery), by key
 */
public record HealthMapping(
        String eccLabel,
        int eccThreshold,
        String xidTaint,
        Set<Integer> fatalXids,
        Set<Integer> recoverableXids,
        Set<Integer> informationalXids,
        String annotation,
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

        /** Trouble when it is true. */
        public static Signal whenTrue(String kind, HealthSeverity severity) {
            return new Signal(List.of("True", "true"), List.of("False", "false"), kind, severity);
        }

        /** Trouble when it is false. */
        public static Signal whenFalse(String kind, HealthSeverity severity) {
            return new Signal(List.of("False", "false"), List.of("True", "true"), kind, severity);
        }
    }

    public HealthMapping {
        fatalXids = Set.copyOf(fatalXids);
        recoverableXids = Set.copyOf(recoverableXids);
        informationalXids = Set.copyOf(informationalXids);
        conditions = Map.copyOf(conditions);
        labels = Map.copyOf(labels);
    }

    /** What an XID code asks for; UNKNOWN where it is none. */
    HealthSeverity xidSeverity(String xid) {
        if (!xid.matches("[0-9]{1,6}")) {
            return HealthSeverity.UNKNOWN;
        }
        int code = Integer.parseInt(xid);
        if (fatalXids.contains(code)) {
            return HealthSeverity.FATAL;
        }
        if (recoverableXids.contains(code)) {
            return HealthSeverity.RECOVERABLE;
        }
        return informationalXids.contains(code) ? HealthSeverity.INFO : HealthSeverity.DEGRADED;
    }

    /** What a number of uncorrected ECC errors asks for; null for none, UNKNOWN where it is no number. */
    HealthSeverity eccSeverity(String errors) {
        // Above 18 digits is above every threshold; below zero or not a number is nothing a counter says.
        if (errors == null || !errors.matches("[0-9]{1,63}")) {
            return HealthSeverity.UNKNOWN;
        }
        long count = errors.length() > 18 ? Long.MAX_VALUE : Long.parseLong(errors);
        if (count == 0) {
            return null;
        }
        return count > eccThreshold ? HealthSeverity.FATAL : HealthSeverity.DEGRADED;
    }

    /**
     * What is commonly found: the label and taint of GPU operators, the node problem detector conditions that AKS ships
     * for GPU nodes, the condition of the EKS node monitoring agent, and NFD features of a local health check.
     *
     * <p>XID classes follow the immediate action that NVIDIA's Xid catalogue names for Ampere and later
     * (docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html).
     *
     * <ul>
     *   <li>Fatal: the GPU must be reset or the machine restarted (RESET_GPU, RESTART_BM, and the workflows of 48 and 74). 46 GPU
     *       timeout, 48 double bit ECC, 62 micro-controller halted, 64 row remapping failed, 74 NVLink, 79 fallen off the bus, 95
     *       uncontained ECC, 110 security fault, 119 and 120 GSP, 136 link training failed, 140 unrecovered ECC, 143
     *       initialisation, 155 NVLink by software, 158 fatal timeout.
     *   <li>Recoverable: the GPU should be reset, but not under what runs. 63 and 156, a row or resource is retired at the next
     *       reset; 94 contained ECC, only the application that met it ends (GPU memory error management guide). 109, context
     *       switch timeout: the catalogue asks for a reset, while NVIDIA's device plugin for Kubernetes takes the application to
     *       be at fault.
     *   <li>Informational: the application is to be looked at (RESTART_APP or IGNORE with CHECK_APP), those that the device plugin
     *       passes over, and test messages. 11, 13, 25, 31, 37, 43, 45, 68, 69, 80, 106, 107.
     *   <li>All others degrade; among them 92, many single bit errors, which were corrected (IGNORE).
     * </ul>
     */
    public static HealthMapping defaults() {
        return new HealthMapping(
                "nvidia.com/ecc-uncorrected",
                10,
                "nvidia.com/xid-error",
                Set.of(46, 48, 62, 64, 74, 79, 95, 110, 119, 120, 136, 140, 143, 155, 158),
                Set.of(63, 94, 109, 156),
                Set.of(11, 13, 25, 31, 37, 43, 45, 68, 69, 80, 106, 107),
                "muster.dev/gpu-health",
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
