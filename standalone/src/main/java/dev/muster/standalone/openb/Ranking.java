package dev.muster.standalone.openb;

import java.util.Arrays;
import java.util.List;

/**
 * The nodes as one policy ranks them for one shape: what scoring every feasible node for every pod would find, without doing so.
 * A policy looks at nothing but the shape and the node, so a node is scored again only when a pod was placed on it.
 *
 * <p>A tournament: leaves are nodes in the order of their ranks, each parent holds the better of its children, the left one of
 * equals.
 */
final class Ranking {
    private static final int INFEASIBLE = -1;

    private final Policy policy;
    private final Shape shape;
    private final List<GpuNode> nodes;
    private final int leaves;
    private final int[] winners;
    private final int[] scores;
    private int seen = -1;

    /** {@code nodes} in the order of their ranks. */
    Ranking(Policy policy, Shape shape, List<GpuNode> nodes) {
        this.policy = policy;
        this.shape = shape;
        this.nodes = nodes;
        this.leaves = Integer.highestOneBit(Math.max(1, nodes.size() * 2 - 1));
        this.winners = new int[2 * leaves];
        this.scores = new int[leaves];
        Arrays.fill(scores, INFEASIBLE);
    }

    /** The feasible node with the highest score, of equals the one with the smallest rank; null when there is none. */
    GpuNode best(Changes changes) {
        catchUp(changes);
        int winner = winners[1];
        return scores[winner] == INFEASIBLE ? null : nodes.get(winner);
    }

    private void catchUp(Changes changes) {
        if (seen < 0) {
            rankAll();
        } else {
            for (int change = seen; change < changes.end(); change++) {
                if (changes.isLatest(change)) {
                    rank(changes.node(change));
                }
            }
        }
        seen = changes.end();
    }

    private void rankAll() {
        for (int i = 0; i < leaves; i++) {
            winners[leaves + i] = i;
            scores[i] = i < nodes.size() ? score(nodes.get(i)) : INFEASIBLE;
        }
        for (int i = leaves - 1; i > 0; i--) {
            winners[i] = better(winners[2 * i], winners[2 * i + 1]);
        }
    }

    private void rank(int node) {
        int score = score(nodes.get(node));
        if (score == scores[node]) {
            return;
        }
        scores[node] = score;
        for (int i = (leaves + node) / 2; i > 0; i /= 2) {
            winners[i] = better(winners[2 * i], winners[2 * i + 1]);
        }
    }

    private int score(GpuNode node) {
        return node.fits(shape) ? policy.score(shape, node) : INFEASIBLE;
    }

    private int better(int left, int right) {
        return scores[right] > scores[left] ? right : left;
    }

    /** On which nodes pods were placed, in the order in which that happened. */
    static final class Changes {
        private int[] nodes = new int[1024];
        private int end;
        private final int[] latest;

        Changes(int nodeCount) {
            latest = new int[nodeCount];
        }

        /** A pod was placed on the node with that place in the order of ranks. */
        void add(int node) {
            if (end == nodes.length) {
                nodes = Arrays.copyOf(nodes, 2 * end);
            }
            nodes[end] = node;
            latest[node] = end++;
        }

        int end() {
            return end;
        }

        int node(int change) {
            return nodes[change];
        }

        /** Whether it is the node's last change so far. */
        boolean isLatest(int change) {
            return latest[nodes[change]] == change;
        }
    }
}
