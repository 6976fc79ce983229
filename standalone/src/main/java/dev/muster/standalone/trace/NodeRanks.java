package dev.muster.standalone.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of equally good nodes is taken, the smallest rank first: lines of {@code node,rank}, each node and each rank once.
 *
 * @param byNode rank by name of the node
 */
public record NodeRanks(Map<String, Integer> byNode) {
    public NodeRanks {
        byNode = Map.copyOf(byNode);
    }

    /** The rank of a node that has one. */
    public int of(TraceNode node) {
        return byNode.get(node.name());
    }

    /** Ranks in the order of a node list, where no file says otherwise. */
    public static NodeRanks inOrder(List<TraceNode> nodes) {
        Map<String, Integer> ranks = new HashMap<>();
        nodes.forEach(node -> ranks.put(node.name(), ranks.size()));
        return new NodeRanks(ranks);
    }

    /**
     * Reads the ranks of all these nodes.
     *
     * @throws TraceFormatException at the first line that can't be used, or when a node has no rank
     */
    public static NodeRanks read(Path file, List<TraceNode> nodes) throws IOException {
        Map<String, Integer> ranks = new HashMap<>();
        Set<Integer> used = new HashSet<>();
        List<String> lines = new TraceLines(file).map((line, text) -> {
            String[] cells = text.split(",", -1);
            if (cells.length != 2) {
                throw new TraceFormatException(file, line, "\"" + text + "\", expected node,rank");
            }
            int rank = (int) TraceLines.number(file, line, cells[1].strip(), "a rank", Integer.MAX_VALUE);
            if (!used.add(rank) || ranks.put(cells[0].strip(), rank) != null) {
                throw new TraceFormatException(file, line, "\"" + text + "\", expected each node and each rank once");
            }
            return text;
        });
        for (TraceNode node : nodes) {
            if (!ranks.containsKey(node.name())) {
                throw new TraceFormatException(
                        file, lines.size(), "the file ends without a rank for node " + node.name());
            }
        }
        return new NodeRanks(ranks);
    }
}
