package dev.muster.standalone.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.RuntimeJsonMappingException;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The openb trace of Alibaba's cluster-trace-gpu-v2023 (Weng et al., USENIX ATC 2023): a node list and a pod list as CSV.
 *
 * @param nodes in the order of the file
 * @param pods in the order of arrival, those that arrive together in the order of the file; or all in the order of the file
 */
public record OpenbTrace(List<TraceNode> nodes, List<TracePod> pods) {
    private static final List<String> NODE_COLUMNS = List.of("sn", "cpu_milli", "memory_mib", "gpu", "model");
    private static final List<String> POD_COLUMNS = List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli");
    private static final int MAX_GPUS = 64;

    public OpenbTrace {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
    }

    /**
     * Reads both files.
     *
     * @throws TraceFormatException at the first line that can't be used
     */
    public static OpenbTrace read(Path nodeFile, Path podFile) throws IOException {
        List<TraceNode> nodes = readNodes(nodeFile);
        List<TracePod> pods = readPods(podFile);
        pods.sort(Comparator.comparingLong(TracePod::createdSeconds));
        return new OpenbTrace(nodes, pods);
    }

    /**
     * Reads both files and leaves the pods in the order of the file, as an {@link ArrivalOrder} counts them.
     *
     * @throws TraceFormatException at the first line that can't be used
     */
    public static OpenbTrace readInFileOrder(Path nodeFile, Path podFile) throws IOException {
        return new OpenbTrace(readNodes(nodeFile), readPods(podFile));
    }

    private static List<TraceNode> readNodes(Path file) throws IOException {
        List<TraceNode> nodes = new ArrayList<>();
        Set<String> names = new HashSet<>();
        readRows(file, NODE_COLUMNS, row -> {
            TraceNode node = new TraceNode(
                    row.uniqueName("sn", names),
                    row.number("cpu_milli", 0, Integer.MAX_VALUE),
                    row.number("memory_mib", 0, Integer.MAX_VALUE),
                    (int) row.number("gpu", 0, MAX_GPUS),
                    row.text("model"));
            nodes.add(node);
        });
        return nodes;
    }

    private static List<TracePod> readPods(Path file) throws IOException {
        List<TracePod> pods = new ArrayList<>();
        Set<String> names = new HashSet<>();
        readRows(file, POD_COLUMNS, row -> {
            int gpus = (int) row.number("num_gpu", 0, MAX_GPUS);
            int gpuMilli = (int) row.number("gpu_milli", 0, 1000);
            if (gpus > 1 && gpuMilli != 1000) {
                throw row.problem("gpu_milli is " + gpuMilli + ", expected 1000 where num_gpu is " + gpus);
            }
            if (gpus == 1 && gpuMilli == 0) {
                throw row.problem("gpu_milli is 0, expected 1 to 1000 where num_gpu is 1");
            }
            // Variants of the trace leave out models and times: any model will do, all arrive at once and stay.
            long created = row.has("creation_time") ? row.number("creation_time", 0, Long.MAX_VALUE) : 0;
            long deleted =
                    row.has("deletion_time") ? row.number("deletion_time", created, Long.MAX_VALUE) : TracePod.NEVER;
            String models = row.has("gpu_spec") ? row.text("gpu_spec") : "";
            pods.add(new TracePod(
                    row.uniqueName("name", names),
                    row.number("cpu_milli", 0, Integer.MAX_VALUE),
                    row.number("memory_mib", 0, Integer.MAX_VALUE),
                    gpus,
                    gpuMilli,
                    models.isEmpty() ? List.of() : List.of(models.split("\\|")),
                    created,
                    deleted));
        });
        return pods;
    }

    private interface RowReader {
        void read(CsvRow row);
    }

    private static void readRows(Path file, List<String> columns, RowReader reader) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8);
                MappingIterator<String[]> rows = new CsvMapper()
                        .readerFor(String[].class)
                        .with(CsvParser.Feature.WRAP_AS_ARRAY)
                        .readValues(in)) {
            if (!rows.hasNext()) {
                throw new TraceFormatException(file, 1, "the file is empty, expected the header " + columns);
            }
            CsvRow.Header header = CsvRow.Header.of(file, rows.next(), columns);
            while (rows.hasNext()) {
                long line = rows.getCurrentLocation().getLineNr();
                String[] cells = rows.next();
                reader.read(new CsvRow(header, line, cells));
            }
        } catch (JsonProcessingException e) {
            long line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new TraceFormatException(file, line, "not CSV: " + e.getOriginalMessage());
        } catch (RuntimeJsonMappingException e) {
            boolean known = e.getCause() instanceof JsonProcessingException;
            JsonProcessingException cause = known ? (JsonProcessingException) e.getCause() : null;
            long line =
                    known && cause.getLocation() != null ? cause.getLocation().getLineNr() : 1;
            throw new TraceFormatException(file, line, "not CSV" + (known ? ": " + cause.getOriginalMessage() : ""));
        } catch (CharacterCodingException e) {
            throw new TraceFormatException(file, 1, "not UTF-8 text, expected CSV with the header " + columns);
        }
    }
}
