package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.NodeState;
import java.util.Arrays;

/**
 * Nodes by score, the best first, ties to the smaller ordinal: a binary heap that holds each node once and finds it by its
 * ordinal, so that a node that changed is moved and nothing is made anew.
 */
final class NodeHeap {
    private static final int NOWHERE = -1;

    /** By ordinal. */
    private NodeState[] nodes = {};

    /** By ordinal: the node's version when it was scored. */
    private long[] versions = {};

    private long[] scores = {};
    /** By ordinal: the place in the heap. */
    private int[] places = {};

    /** Ordinals, each no worse than those at twice its place. */
    private int[] heap = {};

    private int size;

    void clear() {
        Arrays.fill(places, NOWHERE);
        Arrays.fill(nodes, null);
        size = 0;
    }

    /** Adds a node as it is now, or moves it to where its score belongs. */
    void put(NodeState node, long score) {
        int ordinal = node.ordinal();
        ensure(ordinal);
        nodes[ordinal] = node;
        versions[ordinal] = node.version();
        scores[ordinal] = score;
        if (places[ordinal] == NOWHERE) {
            places[ordinal] = size;
            heap[size++] = ordinal;
        }
        up(places[ordinal]);
        down(places[ordinal]);
    }

    /** Takes a node out, if it is there. */
    void remove(NodeState node) {
        int ordinal = node.ordinal();
        if (ordinal >= 0 && ordinal < places.length && places[ordinal] != NOWHERE) {
            removeAt(places[ordinal]);
        }
    }

    /**
     * The best node; null where there is none. One that changed since it was put there, and was not put again, is taken out:
     * it is known by name only now, or another has its ordinal.
     */
    NodeState best() {
        while (size > 0) {
            NodeState top = nodes[heap[0]];
            if (top.version() == versions[heap[0]]) {
                return top;
            }
            removeAt(0);
        }
        return null;
    }

    private void removeAt(int place) {
        int ordinal = heap[place];
        places[ordinal] = NOWHERE;
        nodes[ordinal] = null;
        size--;
        if (place < size) {
            int moved = heap[size];
            heap[place] = moved;
            places[moved] = place;
            up(place);
            down(places[moved]);
        }
    }

    private void up(int from) {
        int place = from;
        int ordinal = heap[place];
        while (place > 0 && before(ordinal, heap[(place - 1) / 2])) {
            heap[place] = heap[(place - 1) / 2];
            places[heap[place]] = place;
            place = (place - 1) / 2;
        }
        heap[place] = ordinal;
        places[ordinal] = place;
    }

    private void down(int from) {
        int place = from;
        int ordinal = heap[place];
        for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
            child += child + 1 < size && before(heap[child + 1], heap[child]) ? 1 : 0;
            if (!before(heap[child], ordinal)) {
                break;
            }
            heap[place] = heap[child];
            places[heap[place]] = place;
            place = child;
        }
        heap[place] = ordinal;
        places[ordinal] = place;
    }

    private boolean before(int ordinal, int other) {
        return scores[ordinal] != scores[other] ? scores[ordinal] > scores[other] : ordinal < other;
    }

    private void ensure(int ordinal) {
        if (ordinal >= places.length) {
            int known = places.length;
            int length = Math.max(ordinal + 1, Math.max(16, known + known / 2));
            nodes = Arrays.copyOf(nodes, length);
            versions = Arrays.copyOf(versions, length);
            scores = Arrays.copyOf(scores, length);
            places = Arrays.copyOf(places, length);
            heap = Arrays.copyOf(heap, length);
            Arrays.fill(places, known, length, NOWHERE);
        }
    }
}
