package dev.muster.standalone.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * In which order pods of a trace arrive, each as often as it is named: one 0-based number of a pod per line, counted in the
 * order of the pod list's file.
 *
 * @param name the file's name without its ending
 * @param pods numbers of pods, first arrival first
 */
public record ArrivalOrder(String name, List<Integer> pods) {
    public ArrivalOrder {
        pods = List.copyOf(pods);
    }

    /**
     * Reads an order of so many pods.
     *
     * @throws TraceFormatException at the first line that can't be used
     */
    public static ArrivalOrder read(Path file, int podCount) throws IOException {
        List<Integer> pods = new TraceLines(file)
                .map((line, text) -> (int) TraceLines.number(file, line, text, "the number of a pod", podCount - 1));
        if (pods.isEmpty()) {
            throw new TraceFormatException(file, 1, "the file is empty, expected one number of a pod per line");
        }
        return new ArrivalOrder(TraceLines.baseName(file), pods);
    }
}
