package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.job.JobTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A gang in short: {@code 8x4} is 8 pods of 4 GPUs each, with 8 cores and 64 GiB for each GPU (for each pod where it has none).
 *
 * @param pods pods that must run together
 * @param gpus GPUs of each
 */
record GangShape(int pods, int gpus) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,5})x(\\d{1,2})(gpu)?");

    /** Reads the short form. */
    static final class Converter implements ITypeConverter<GangShape> {
        @Override
        public GangShape convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not PODSxGPUS, such as 8x4");
            }
            return new GangShape(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        }
    }

    JobTask task(String image, String runtime) {
        ObjectNode template = JsonNodeFactory.instance.objectNode();
        if (runtime != null) {
            template.putObject("metadata").putObject("annotations").put("muster.dev/runtime", runtime);
        }
        ObjectNode spec = template.putObject("spec").put("restartPolicy", "Never");
        ObjectNode container =
                spec.putArray("containers").addObject().put("name", "worker").put("image", image);
        ObjectNode resources = container.putObject("resources");
        for (String field : new String[] {"requests", "limits"}) {
            ObjectNode amounts = resources
                    .putObject(field)
                    .put("cpu", String.valueOf(8 * Math.max(1, gpus)))
                    .put("memory", 64 * Math.max(1, gpus) + "Gi");
            if (gpus > 0) {
                amounts.put("nvidia.com/gpu", String.valueOf(gpus));
            }
        }
        return JobTask.newBuilder()
                .setName("worker")
                .setReplicas(pods)
                .setPodTemplate(template.toString())
                .build();
    }
}
