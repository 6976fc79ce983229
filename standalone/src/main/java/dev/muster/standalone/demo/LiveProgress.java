package dev.muster.standalone.demo;

import dev.muster.schemas.decision.WorkloadStatus;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A picture that is drawn over itself a few times a second: bars for GPUs, one cell per node, queues, and who waits why.
 * Only for a terminal.
 */
final class LiveProgress implements Progress {
    private static final long EVERY_MILLIS = 250;
    // With these a picture of three queues is 23 lines: one that is taller than its terminal can't be drawn over.
    private static final int MAX_NODE_ROWS = 4;
    private static final int WAITING_SHOWN = 5;
    private static final int GPUS_TEXT = 48;
    private static final String LEVELS = " ▁▂▃▄▅▆▇█";
    private static final String PLAIN_LEVELS = " 12345678";

    private final PrintStream err;
    private final Paint paint;
    private final int columns;
    private final boolean blocks;
    private long nextMillis;
    private int linesDrawn;

    LiveProgress(PrintStream err, boolean colour, int columns) {
        this.err = err;
        this.paint = new Paint(colour);
        this.columns = Math.clamp(columns, 60, 160);
        this.blocks = err.charset().newEncoder().canEncode('█');
    }

    @Override
    public void show(String headline, long elapsedMillis, Snapshot now) {
        if (elapsedMillis < nextMillis) {
            return;
        }
        nextMillis = elapsedMillis + EVERY_MILLIS;
        List<String> lines = new ArrayList<>();
        lines.add(paint.bold("muster demo") + "  " + headline + "  " + clock(elapsedMillis));
        gpus(now, lines);
        pods(now, lines);
        lines.add("");
        queues(now, lines);
        lines.add("");
        waiting(now, lines);
        draw(lines);
    }

    @Override
    public void say(String line) {
        draw(List.of());
        err.println(line);
        linesDrawn = 0;
    }

    @Override
    public void close() {
        linesDrawn = 0;
        err.println();
        err.flush();
    }

    private void gpus(Snapshot now, List<String> lines) {
        double total = Math.max(1, now.gpus());
        double used = now.gpuMilliUsed() / 1000.0;
        lines.add(Text.pad("GPUs", 11) + paint.green(bar(used / total, columns - GPUS_TEXT)) + "  "
                + Text.gpus(now.gpuMilliUsed())
                + " of " + now.gpus() + ", " + Text.percent(used, total) + ", peak "
                + Text.percent(now.gpuMilliPeak() / 1000.0, total));
        int perRow = columns - 13;
        List<PodLedger.NodeUse> nodes = now.nodes();
        for (int row = 0; row < MAX_NODE_ROWS && row * perRow < nodes.size(); row++) {
            StringBuilder cells = new StringBuilder();
            nodes.subList(row * perRow, Math.min(nodes.size(), (row + 1) * perRow))
                    .forEach(n -> cells.append(cell(n)));
            lines.add(Text.pad(row == 0 ? "nodes" : "", 11) + paint.cyan(cells.toString()));
        }
        int unseen = nodes.size() - MAX_NODE_ROWS * perRow;
        if (unseen > 0) {
            lines.set(
                    lines.size() - 1,
                    Text.pad("+" + unseen, 11) + lines.get(lines.size() - 1).substring(11));
        }
    }

    private void pods(Snapshot now, List<String> lines) {
        PodLedger.PodCounts pods = now.pods();
        lines.add(Text.pad("pods", 11) + pods.holding() + " running, " + pods.unbound() + " waiting, " + pods.finished()
                + " finished");
        lines.add(Text.pad("gangs", 11) + now.gangs().running() + " running, "
                + now.gangs().waiting() + " waiting, " + now.gangs().placedWhole() + " placed whole so far");
        lines.add(Text.pad("decisions", 11) + now.decisions().total() + ", " + Text.decimal(now.decisionsPerSecond())
                + "/s");
        lines.add(Text.clip(
                Text.pad("p50/p99", 11) + "pod to decision " + brief(now.decisionLatency()) + ", pod to bound "
                        + brief(now.boundLatency()),
                columns - 1));
    }

    private void queues(Snapshot now, List<String> lines) {
        lines.add(paint.bold(
                Text.pad("QUEUE", 16) + Text.pad("GPUS", columns / 3 + 10) + Text.pad("RUNNING", 10) + "WAITING"));
        double total = Math.max(1, now.gpus());
        for (Snapshot.QueueLine queue : now.queues()) {
            String share = bar(queue.gpuMilli() / 1000.0 / total, columns / 3);
            lines.add(Text.pad(queue.name(), 16)
                    + paint.green(share)
                    + Text.pad("  " + Text.gpus(queue.gpuMilli()), 10)
                    + Text.pad(String.valueOf(queue.running()), 10)
                    + queue.waiting());
        }
    }

    private void waiting(Snapshot now, List<String> lines) {
        if (now.waiting().isEmpty()) {
            lines.add(paint.bold("nothing waits"));
            return;
        }
        lines.add(paint.bold(Text.pad("WAITING", 30) + Text.pad("PODS", 6) + Text.pad("FOR", 6) + "WHY"));
        long nowMillis = System.currentTimeMillis();
        for (WorkloadStatus w :
                now.waiting().subList(0, Math.min(WAITING_SHOWN, now.waiting().size()))) {
            long seconds = Math.max(0, nowMillis - w.getArrivedMillis()) / 1000;
            lines.add(Text.pad(w.getName(), 29) + " " + Text.pad(String.valueOf(w.getPods()), 6)
                    + Text.pad(seconds + "s", 6)
                    + paint.yellow(Text.clip(why(w), columns - 43)));
        }
        if (now.waiting().size() > WAITING_SHOWN) {
            lines.add("and " + (now.waiting().size() - WAITING_SHOWN) + " more");
        }
    }

    /** What follows the first semicolon, which says what is asked: on one line the answer matters more. */
    private static String why(WorkloadStatus w) {
        String message = w.getReason().getMessage();
        String answer = message.substring(message.indexOf("; ") < 0 ? 0 : message.indexOf("; ") + 2);
        String where = "cluster " + DemoRun.CLUSTER + " ";
        return answer.startsWith(where) ? answer.substring(where.length()) : answer;
    }

    private String bar(double share, int width) {
        int full = (int) Math.round(Math.clamp(share, 0, 1) * width);
        return (blocks ? "█" : "#").repeat(full) + (blocks ? "░" : ".").repeat(width - full);
    }

    private char cell(PodLedger.NodeUse node) {
        if (!node.schedulable()) {
            return 'x';
        }
        if (node.gpus() == 0) {
            return '.';
        }
        int level = Math.clamp((node.usedMilli() * 8 + node.gpus() * 1000 - 1) / (node.gpus() * 1000), 0, 8);
        return level == 0 ? (blocks ? '·' : '.') : (blocks ? LEVELS : PLAIN_LEVELS).charAt(level);
    }

    private static String brief(Latency latency) {
        return latency.count() == 0 ? "-" : latency.p50Millis() + "/" + latency.p99Millis() + " ms";
    }

    private static String clock(long millis) {
        return "%02d:%02d".formatted(millis / 60_000, millis / 1000 % 60);
    }

    private void draw(List<String> lines) {
        StringBuilder screen = new StringBuilder();
        if (linesDrawn > 0) {
            screen.append("\u001b[").append(linesDrawn).append('A');
        }
        screen.append("\r\u001b[J");
        lines.forEach(line -> screen.append(line).append('\n'));
        err.print(screen);
        err.flush();
        linesDrawn = lines.size();
    }

    /** Colours, or none. */
    private record Paint(boolean colour) {
        String bold(String text) {
            return paint("1", text);
        }

        String green(String text) {
            return paint("32", text);
        }

        String cyan(String text) {
            return paint("36", text);
        }

        String yellow(String text) {
            return paint("33", text);
        }

        private String paint(String code, String text) {
            return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
        }
    }
}
