package dev.muster.scheduler.core.state;

import java.util.ArrayList;
import java.util.List;

/**
 * A regular expression for names, found anywhere in a name unless it is anchored, as Go's {@code regexp.MatchString} does
 * for HyperNodes. It is run as a set of states (Thompson 1968): the time is the length of the name times that of the
 * expression, whatever either is, since a cluster's objects must not be able to stop a domain.
 *
 * <p>Understands literals, {@code .}, classes, {@code \\d \\w \\s} and their opposites, groups, alternatives, anchors and
 * repetition. What it does not understand matches nothing.
 */
final class NamePattern {
    private static final int LONGEST_PROGRAM = 4_096;
    private static final int MOST_REPEATED = 256;
    private static final int DEEPEST = 64;

    private sealed interface Step {
        /** One character of a set: pairs of first and last, or all others. */
        record One(int[] ranges, boolean others) implements Step {
            boolean takes(int character) {
                for (int i = 0; i < ranges.length; i += 2) {
                    if (ranges[i] <= character && character <= ranges[i + 1]) {
                        return !others;
                    }
                }
                return others;
            }
        }

        /** Goes on at two places. */
        record Fork(int one, int other) implements Step {}

        /** The beginning of the name, or its end. */
        record Edge(boolean beginning) implements Step {}

        /** The name matches. */
        record Match() implements Step {}
    }

    private static final class NotUnderstoodException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotUnderstoodException() {
            super(null, null, false, false);
        }
    }

    private final List<Step> program = new ArrayList<>();
    private final String text;
    private int at;
    private int depth;

    private NamePattern(String text) {
        this.text = text;
    }

    static NamePattern of(String text) {
        NamePattern pattern = new NamePattern(text);
        try {
            pattern.alternatives();
            if (pattern.at < text.length()) {
                throw new NotUnderstoodException();
            }
            pattern.add(new Step.Match());
        } catch (NotUnderstoodException e) {
            pattern.program.clear();
        }
        return pattern;
    }

    boolean matches(String name) {
        if (program.isEmpty()) {
            return false;
        }
        boolean[] now = new boolean[program.size()];
        for (int place = 0; place <= name.length(); place++) {
            if (reach(now, 0, place, name.length())) {
                return true;
            }
            boolean[] next = new boolean[program.size()];
            for (int i = 0; place < name.length() && i < now.length; i++) {
                if (now[i] && program.get(i) instanceof Step.One one && one.takes(name.charAt(place))) {
                    if (reach(next, i + 1, place + 1, name.length())) {
                        return true;
                    }
                }
            }
            now = next;
        }
        return false;
    }

    /** Marks a step and all that follow without a character; true when the end is among them. */
    private boolean reach(boolean[] states, int first, int place, int length) {
        List<Integer> open = new ArrayList<>(List.of(first));
        while (!open.isEmpty()) {
            int step = open.removeLast();
            if (states[step]) {
                continue;
            }
            states[step] = true;
            switch (program.get(step)) {
                case Step.Match match -> {
                    return true;
                }
                case Step.Fork fork -> {
                    open.add(fork.one());
                    open.add(fork.other());
                }
                case Step.Edge edge -> {
                    if (place == (edge.beginning() ? 0 : length)) {
                        open.add(step + 1);
                    }
                }
                case Step.One one -> {
                    // Waits for the next character.
                }
            }
        }
        return false;
    }

    // ---- reading

    private void alternatives() {
        if (++depth > DEEPEST) {
            throw new NotUnderstoodException();
        }
        int start = program.size();
        sequence();
        if (peek('|')) {
            at++;
            List<Step> first = cut(start);
            // fork, first, jump behind, others
            add(new Step.Fork(start + 1, start + first.size() + 2));
            paste(first, 1);
            int jump = program.size();
            add(new Step.Match());
            alternatives();
            program.set(jump, new Step.Fork(program.size(), program.size()));
        }
        depth--;
    }

    private void sequence() {
        while (at < text.length() && !peek('|') && !peek(')')) {
            int start = program.size();
            atom();
            repetition(start);
        }
    }

    private void repetition(int start) {
        if (at >= text.length()) {
            return;
        }
        switch (text.charAt(at)) {
            case '*' -> repeat(start, 0, -1);
            case '+' -> repeat(start, 1, -1);
            case '?' -> repeat(start, 0, 1);
            case '{' -> counted(start);
            default -> {
                return;
            }
        }
        if (peek('?')) {
            at++; // reluctant: whether there is a match does not depend on it
        }
    }

    private void counted(int start) {
        int close = text.indexOf('}', at);
        String[] bounds =
                close < 0 ? new String[0] : text.substring(at + 1, close).split(",", -1);
        if (bounds.length < 1 || bounds.length > 2) {
            throw new NotUnderstoodException();
        }
        int least = number(bounds[0]);
        boolean open = bounds.length == 2 && bounds[1].isEmpty();
        int most = bounds.length == 1 ? least : open ? -1 : number(bounds[1]);
        at = close;
        repeat(start, least, most);
    }

    private static int number(String digits) {
        if (digits.isEmpty() || digits.length() > 3 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new NotUnderstoodException();
        }
        int number = Integer.parseInt(digits);
        if (number > MOST_REPEATED) {
            throw new NotUnderstoodException();
        }
        return number;
    }

    /** Writes what was read since start so often; most is -1 for no end. */
    private void repeat(int start, int least, int most) {
        at++;
        if (most >= 0 && most < least) {
            throw new NotUnderstoodException();
        }
        List<Step> piece = cut(start);
        for (int i = 0; i < least; i++) {
            paste(piece, program.size() - start);
        }
        if (most < 0) {
            int loop = program.size();
            add(new Step.Fork(loop + 1, loop + piece.size() + 2));
            paste(piece, loop + 1 - start);
            add(new Step.Fork(loop, loop));
        }
        for (int i = least; i < most; i++) {
            int skip = program.size();
            add(new Step.Fork(skip + 1, skip + piece.size() + 1));
            paste(piece, skip + 1 - start);
        }
    }

    private List<Step> cut(int start) {
        List<Step> tail = program.subList(start, program.size());
        List<Step> piece = new ArrayList<>(tail);
        tail.clear();
        return piece;
    }

    private void paste(List<Step> piece, int moved) {
        for (Step step : piece) {
            add(step instanceof Step.Fork fork ? new Step.Fork(fork.one() + moved, fork.other() + moved) : step);
        }
    }

    private void add(Step step) {
        if (program.size() >= LONGEST_PROGRAM) {
            throw new NotUnderstoodException();
        }
        program.add(step);
    }

    private void atom() {
        char c = text.charAt(at++);
        switch (c) {
            case '^' -> add(new Step.Edge(true));
            case '$' -> add(new Step.Edge(false));
            case '.' -> add(new Step.One(new int[0], true));
            case '(' -> group();
            case '[' -> add(set());
            case '\\' -> add(escape());
            case '*', '+', '?', '{', ')', '|' -> throw new NotUnderstoodException();
            default -> add(new Step.One(new int[] {c, c}, false));
        }
    }

    private void group() {
        if (peek('?')) {
            if (!text.startsWith("?:", at)) {
                throw new NotUnderstoodException();
            }
            at += 2;
        }
        alternatives();
        if (!peek(')')) {
            throw new NotUnderstoodException();
        }
        at++;
    }

    private Step.One escape() {
        if (at >= text.length()) {
            throw new NotUnderstoodException();
        }
        char c = text.charAt(at++);
        return switch (c) {
            case 'd' -> new Step.One(new int[] {'0', '9'}, false);
            case 'D' -> new Step.One(new int[] {'0', '9'}, true);
            case 'w' -> new Step.One(WORD, false);
            case 'W' -> new Step.One(WORD, true);
            case 's' -> new Step.One(SPACE, false);
            case 'S' -> new Step.One(SPACE, true);
            default -> {
                if (Character.isLetterOrDigit(c)) {
                    throw new NotUnderstoodException();
                }
                yield new Step.One(new int[] {c, c}, false);
            }
        };
    }

    private static final int[] WORD = {'0', '9', 'A', 'Z', 'a', 'z', '_', '_'};
    private static final int[] SPACE = {'\t', '\n', '\f', '\r', ' ', ' '};

    private Step.One set() {
        boolean others = peek('^');
        if (others) {
            at++;
        }
        List<Integer> ranges = new ArrayList<>();
        for (boolean first = true; first || !peek(']'); first = false) {
            if (at >= text.length()) {
                throw new NotUnderstoodException();
            }
            int from = text.charAt(at++);
            if (from == '\\') {
                Step.One escaped = escape();
                if (escaped.others()) {
                    throw new NotUnderstoodException();
                }
                for (int bound : escaped.ranges()) {
                    ranges.add(bound);
                }
                continue;
            }
            int to = from;
            if (peek('-') && at + 1 < text.length() && text.charAt(at + 1) != ']') {
                to = text.charAt(at + 1);
                at += 2;
            }
            if (from == '[' || to < from) {
                throw new NotUnderstoodException();
            }
            ranges.add(from);
            ranges.add(to);
        }
        at++;
        return new Step.One(ranges.stream().mapToInt(Integer::intValue).toArray(), others);
    }

    private boolean peek(char c) {
        return at < text.length() && text.charAt(at) == c;
    }
}
