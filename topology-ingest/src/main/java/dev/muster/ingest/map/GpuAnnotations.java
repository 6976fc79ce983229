package dev.muster.ingest.map;

import java.util.Map;

/**
 * What annotations of a pod ask of its GPUs: a part of one ({@code muster.dev/gpu-fraction}, KAI-Scheduler's {@code
 * gpu-fraction}), memory of one (KAI-Scheduler's {@code gpu-memory}), or that they are of one NVLink island ({@code
 * muster.dev/gpu-link}).
 *
 * @param fractionMilli thousandths of one GPU, 1 to 999; 0 for none
 * @param memoryMib memory of one GPU, in MiB; 0 for none
 * @param linked they must be of one island
 * @param source the annotation that asks for a part or for memory
 */
record GpuAnnotations(int fractionMilli, int memoryMib, boolean linked, String source) {
    /** Nothing is asked for. */
    static final GpuAnnotations NONE = new GpuAnnotations(0, 0, false, "");

    private static final String FRACTION = "muster.dev/gpu-fraction";
    private static final String KAI_FRACTION = "gpu-fraction";
    private static final String KAI_MEMORY = "gpu-memory";
    private static final String KAI_DEVICES = "gpu-fraction-num-devices";
    private static final String LINK = "muster.dev/gpu-link";

    /** Ours counts where both are there; a wish that cannot be read is noted and not taken, a demand is a problem. */
    static GpuAnnotations read(Map<String, String> annotations, Problems problems, Problems notes) {
        boolean ours = annotations.containsKey(FRACTION);
        String fraction = ours ? FRACTION : KAI_FRACTION;
        int milli = fractionMilli(fraction, annotations.get(fraction), problems);
        int mib = memoryMib(annotations.get(KAI_MEMORY), problems);
        if (milli > 0 && mib > 0) {
            problems.invalid(field(KAI_MEMORY), "beside " + fraction + ": a pod asks for one or the other");
        }
        String devices = annotations.getOrDefault(KAI_DEVICES, "1");
        if ((milli > 0 || mib > 0) && !devices.equals("1")) {
            problems.invalid(field(KAI_DEVICES), devices, "1: a pod shares one GPU, not several");
        }
        return new GpuAnnotations(
                milli, milli > 0 ? 0 : mib, linked(annotations, problems, notes), milli > 0 ? fraction : KAI_MEMORY);
    }

    private static int fractionMilli(String annotation, String text, Problems problems) {
        if (text == null) {
            return 0;
        }
        if (text.matches("0?\\.[0-9]{1,3}")) {
            String digits = text.substring(text.indexOf('.') + 1);
            int milli = Integer.parseInt((digits + "00").substring(0, 3));
            if (milli > 0) {
                return milli;
            }
        }
        problems.invalid(field(annotation), text, "a part of one GPU from 0.001 to 0.999, such as 0.5");
        return 0;
    }

    private static int memoryMib(String text, Problems problems) {
        if (text == null) {
            return 0;
        }
        if (text.matches("[1-9][0-9]{0,8}")) {
            return Integer.parseInt(text);
        }
        problems.invalid(field(KAI_MEMORY), text, "a number of MiB of one GPU, such as 4096");
        return 0;
    }

    private static boolean linked(Map<String, String> annotations, Problems problems, Problems notes) {
        String alias = annotations.get(GpuTopology.ALIAS);
        if (alias != null && !GpuTopology.FULL_MESH.contains(alias.strip())) {
            notes.invalid(field(GpuTopology.ALIAS), alias, "one of " + String.join(", ", GpuTopology.FULL_MESH));
        }
        String text = annotations.get(LINK);
        // GPUs of one island are preferred anyway: that is what the alias asks for.
        if (text == null || text.equals("preferred")) {
            return false;
        }
        if (!text.equals("required")) {
            problems.invalid(field(LINK), text, "required or preferred");
        }
        return true;
    }

    private static String field(String annotation) {
        return "metadata.annotations[" + annotation + "]";
    }
}
