package dev.muster.scheduler.core.quota;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.ResourceNames;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The units that quotas are counted in: those of Kubernetes' quantities as Muster keeps them, but GPUs in thousandths, so
 * that a share of one counts as what it is.
 */
public final class QuotaUnits {
    /** Name under which usage counts shares of GPUs, in thousandths; whole GPUs are counted under their own. */
    public static final String GPU_SHARES = "muster.dev/gpu-milli";

    private static final long GPU_MILLI = 1000;

    private QuotaUnits() {}

    /** An amount of a resource in the unit of its quota; one that is negative means no limit and stays. */
    public static long of(String resource, long amount) {
        return resource.equals(ResourceNames.GPU) && amount > 0 ? amount * GPU_MILLI : amount;
    }

    /** What one pod asks for, by resource, with so many thousandths of a GPU that it shares. */
    public static SortedMap<String, Long> of(List<Amount> requests, int shareMilli) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        for (Amount amount : requests) {
            amounts.put(amount.resource(), of(amount.resource(), amount.amount()));
        }
        if (shareMilli > 0) {
            amounts.merge(ResourceNames.GPU, (long) shareMilli, Long::sum);
        }
        return amounts;
    }

    /** What is used, by flavor and resource. */
    public static SortedMap<FlavorResource, Long> of(Iterable<FlavorAmount> used) {
        SortedMap<FlavorResource, Long> amounts = new TreeMap<>();
        for (FlavorAmount each : used) {
            boolean shares = each.amount().resource().equals(GPU_SHARES);
            String resource = shares ? ResourceNames.GPU : each.amount().resource();
            long amount = each.amount().amount();
            amounts.merge(
                    new FlavorResource(each.flavor(), resource), shares ? amount : of(resource, amount), Long::sum);
        }
        return amounts;
    }

    /** An amount as people write it, such as {@code 2 nvidia.com/gpu}, {@code 1.5 cpu}, {@code 4Gi memory}. */
    public static String text(String resource, long amount) {
        return number(resource, amount) + " " + resource;
    }

    /** The same without the resource. */
    public static String number(String resource, long amount) {
        if (resource.equals(ResourceNames.GPU) || resource.equals(ResourceNames.CPU)) {
            return thousandths(amount);
        }
        if (resource.equals("memory") || resource.endsWith("storage")) {
            return bytes(amount);
        }
        return Long.toString(amount);
    }

    private static String thousandths(long milli) {
        String part = Long.toString(1000 + Math.abs(milli % 1000)).substring(1);
        while (part.endsWith("0")) {
            part = part.substring(0, part.length() - 1);
        }
        String sign = milli < 0 ? "-" : "";
        return sign + Math.abs(milli / 1000) + (part.isEmpty() ? "" : "." + part);
    }

    private static String bytes(long amount) {
        String[] units = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
        int unit = 0;
        long left = amount;
        while (left != 0 && left % 1024 == 0 && unit + 1 < units.length) {
            left /= 1024;
            unit++;
        }
        return left + units[unit];
    }
}
