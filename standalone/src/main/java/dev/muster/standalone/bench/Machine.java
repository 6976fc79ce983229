package dev.muster.standalone.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a figure was measured on.
 *
 * @param cpu model name, where the system tells
 * @param cores processors that this process may use
 * @param java version of the JVM
 * @param heapBytes most heap it may use
 */
public record Machine(String cpu, int cores, String java, long heapBytes) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    /** This machine and JVM. */
    public static Machine read() {
        return new Machine(
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                Runtime.getRuntime().maxMemory());
    }

    private static String cpuModel() {
        try {
            return Files.readAllLines(CPU_INFO).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** For programs; the fields are stable. */
    public ObjectNode toJson() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("cpu", cpu)
                .put("cores", cores)
                .put("java", java)
                .put("heapBytes", heapBytes);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%s, %d cores, Java %s, heap %d MiB", cpu, cores, java, heapBytes / (1 << 20));
    }
}
