package dev.muster.ingest.map;

import java.math.RoundingMode;
import java.util.Map;
import java.util.SortedMap;

/**
 * Operations per second of a node's local NVMe disks, in one account ({@value #ACCOUNT}) whichever way they are asked for: as
 * the extended resource {@code local-nvme-iops}, whatever domain it has in front, or by the annotation {@code
 * nvme-iops-request}, of which no kubelet knows. Of pods that do both, what containers ask for counts.
 */
final class NvmeRequest {
    /** What they are counted as, beside the resource that kubelets count. */
    static final String ACCOUNT = "nvme-iops";

    private static final String RESOURCE = "local-nvme-iops";
    private static final String ANNOTATION = "nvme-iops-request";

    private NvmeRequest() {}

    /** Whether a resource is local disks' operations per second. */
    static boolean names(String resource) {
        return resource.equals(RESOURCE) || resource.endsWith("/" + RESOURCE);
    }

    /** Adds what the account is to be charged or given for the amounts of the resource. */
    static void account(SortedMap<String, Long> amounts) {
        long sum = 0;
        for (Map.Entry<String, Long> amount : amounts.entrySet()) {
            sum += names(amount.getKey()) ? amount.getValue() : 0;
        }
        if (sum > 0) {
            amounts.put(ACCOUNT, sum);
        }
    }

    /** Adds what the annotation asks for; what cannot be read is noted, and nothing is asked for. */
    static void add(SortedMap<String, Long> requests, Map<String, String> annotations, Problems notes) {
        String text = annotations.get(ANNOTATION);
        if (text != null && !requests.containsKey(ACCOUNT)) {
            Quantities.parse(ACCOUNT, text, RoundingMode.CEILING)
                    .ifPresentOrElse(
                            amount -> requests.put(ACCOUNT, amount),
                            () -> notes.invalid("metadata.annotations[" + ANNOTATION + "]", text, Quantities.EXPECTED));
        }
    }
}
