package dev.muster.ingest.map;

import dev.muster.schemas.event.DeviceGroup;
import dev.muster.schemas.event.DeviceLink;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which GPUs of a node are close to each other, from annotations that a telemetry agent writes: {@code
 * muster.dev/gpu-topology} such as {@code nvlink=0-3|4-7 pcie=0,1|2,3|4,5|6,7}, and {@code muster.dev/gpu-uuids} with the
 * UUIDs in the order of the indices. {@code scheduling.k8s.io/nvidia-gpu-topology: nvswitch-full-mesh} stands for one island
 * of all GPUs. What cannot be read is reported, and nothing is known of it.
 */
final class GpuTopology {
    private static final String TOPOLOGY = "muster.dev/gpu-topology";
    private static final String UUIDS = "muster.dev/gpu-uuids";

    /** Of nodes; on pods it is a wish. */
    static final String ALIAS = "scheduling.k8s.io/nvidia-gpu-topology";

    /** What the alias may say of GPUs that all reach each other over NVLink. */
    static final List<String> FULL_MESH = List.of("nvswitch-full-mesh", "nvlink-full-mesh", "nvswitch");

    private static final String EXPECTED =
            "groups of GPUs by nvlink, numa and pcie, each GPU once, such as nvlink=0-3|4-7 pcie=0,1|2,3|4,5|6,7";

    private GpuTopology() {}

    /** The groups, by link and smallest device; none where nothing is known or it cannot be read. */
    static List<DeviceGroup> groups(Map<String, String> annotations, int gpus, Problems problems) {
        String text = annotations.get(TOPOLOGY);
        String alias = annotations.get(ALIAS);
        if (text != null) {
            List<DeviceGroup> groups = read(text);
            if (groups == null) {
                problems.invalid("metadata.annotations[" + TOPOLOGY + "]", text, EXPECTED);
            }
            return groups == null ? List.of() : groups;
        }
        if (alias != null && !FULL_MESH.contains(alias.strip())) {
            problems.invalid("metadata.annotations[" + ALIAS + "]", alias, "one of " + String.join(", ", FULL_MESH));
        } else if (alias != null && gpus > 1 && gpus <= Limits.DEVICES) {
            return List.of(new DeviceGroup(
                    DeviceLink.NVLINK, IntStream.range(0, gpus).boxed().toList()));
        }
        return List.of();
    }

    /** Null where it cannot be read. */
    private static List<DeviceGroup> read(String text) {
        List<DeviceGroup> groups = new ArrayList<>();
        for (String word : text.strip().split("\\s+", DeviceLink.values().length + 2)) {
            int equals = word.indexOf('=');
            String link = equals < 0 ? "" : word.substring(0, equals).toUpperCase(Locale.ROOT);
            boolean known = List.of("NVLINK", "NUMA", "PCIE").contains(link)
                    && groups.stream().noneMatch(group -> group.getLink().name().equals(link));
            if (!known || !readGroups(DeviceLink.valueOf(link), word.substring(equals + 1), groups)) {
                return null;
            }
        }
        groups.sort(Comparator.comparing(DeviceGroup::getLink)
                .thenComparing(group -> group.getDevices().getFirst()));
        return groups;
    }

    private static boolean readGroups(DeviceLink link, String text, List<DeviceGroup> into) {
        BitSet seen = new BitSet();
        for (String part : text.split("\\|", Limits.DEVICES + 1)) {
            BitSet devices = devices(part);
            if (devices == null || devices.isEmpty() || devices.intersects(seen)) {
                return false;
            }
            seen.or(devices);
            into.add(new DeviceGroup(link, devices.stream().boxed().toList()));
        }
        return true;
    }

    /** Indices and ranges of them, such as 0-3,8; null where it cannot be read. */
    private static BitSet devices(String text) {
        BitSet devices = new BitSet();
        for (String part : text.split(",", Limits.DEVICES + 1)) {
            if (!part.matches("[0-9]{1,3}(-[0-9]{1,3})?")) {
                return null;
            }
            int dash = part.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
            if (last < first || last >= Limits.DEVICES) {
                return null;
            }
            devices.set(first, last + 1);
        }
        return devices;
    }

    /** UUIDs of GPUs, in the order of their indices; none where nobody says. */
    static List<String> uuids(Map<String, String> annotations) {
        String text = annotations.getOrDefault(UUIDS, "");
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s*,\\s*", Limits.DEVICES));
    }
}
