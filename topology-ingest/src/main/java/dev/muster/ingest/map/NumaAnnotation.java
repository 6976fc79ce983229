package dev.muster.ingest.map;

import dev.muster.schemas.common.NumaShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Annotation {@code muster.dev/numa-nodes} of a bound pod: what it gets from which NUMA nodes, such as {@code node-0 cpu=8000
 * nvidia.com/gpu=4; node-1 nvidia.com/gpu=2}. Cpus are in thousandths, everything else in its base unit.
 */
final class NumaAnnotation {
    private static final String KEY = "muster.dev/numa-nodes";
    private static final Pattern SHARE = Pattern.compile("([^=\\s;]{1,317})=([1-9][0-9]{0,15})");

    private NumaAnnotation() {}

    /** By zone and resource, as written; empty where there is none or it cannot be read. */
    static List<NumaShare> read(Map<String, String> annotations, Problems problems) {
        String text = annotations.getOrDefault(KEY, "");
        List<NumaShare> shares = new ArrayList<>();
        for (String zone : text.isBlank() ? new String[0] : text.split(";", Limits.ZONES + 1)) {
            String[] words = zone.strip().split(" ", Limits.RESOURCES + 2);
            for (int word = 1; word < words.length; word++) {
                Matcher share = SHARE.matcher(words[word]);
                if (!share.matches() || words[0].length() > Limits.NAME || words[0].isEmpty()) {
                    return refuse(text, problems);
                }
                shares.add(new NumaShare(words[0], share.group(1), Long.parseLong(share.group(2))));
            }
            if (words.length < 2) {
                return refuse(text, problems);
            }
        }
        return shares;
    }

    private static List<NumaShare> refuse(String text, Problems problems) {
        problems.invalid(
                "metadata.annotations[" + KEY + "]",
                text,
                "zones with what comes from them, such as node-0 cpu=8000 nvidia.com/gpu=4; node-1 nvidia.com/gpu=2");
        return List.of();
    }
}
