package dev.muster.standalone.cli;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.topic.Topics;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster top}. */
@Command(
        name = "top",
        abbreviateSynopsis = true,
        header = "What the system does now: decisions, who waits longest and why, GPUs of each cluster.",
        description =
                "On a terminal the view is drawn anew until Ctrl-C (exit code 130). In a pipe, with -o json or yaml,"
                        + " and with --once it is printed once.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster top --data-dir ./muster-data",
            "  muster top --once --bootstrap-servers kafka:9092 --schema-registry http://registry:8081",
            "  muster top --window 5m -o json --data-dir ./muster-data"
        })
final class TopCommand implements Callable<Integer> {
    private static final Duration SHORTEST = Duration.ofMillis(200);

    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--once", description = "Print one view and end.")
    boolean once;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = DurationConverter.class,
            description = "Time between two views; default: 2s.")
    Duration interval = Duration.ofSeconds(2);

    @Option(
            names = "--window",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description = "What rates and latencies are taken over, 10s to 1h; default: 60s.")
    Duration window = Duration.ofSeconds(60);

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "10",
            description = "So many of those that wait longest; default: 10.")
    int limit = 10;

    @Mixin
    DocumentOutput output;

    @Mixin
    HelpOption help;

    private final Environment environment;

    TopCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        output.check("top");
        check();
        try (TopicSession session = TopicSession.open(connection, environment)) {
            TopView view = new TopView((int) window.toSeconds());
            read(session, view);
            session.readToEnd();
            TopScreen screen = new TopScreen(environment, limit);
            if (environment.outIsTerminal() && !once && output.format == OutputFormat.table) {
                follow(session, view, screen);
                return ExitCode.INTERRUPTED;
            }
            TopView.Moment now = view.at(System.currentTimeMillis());
            output.print(environment, () -> screen.text(now), () -> screen.json(now));
            return ExitCode.DONE;
        }
    }

    private void follow(TopicSession session, TopView view, TopScreen screen) throws InterruptedException {
        AtomicLong dueNanos = new AtomicLong(System.nanoTime());
        session.follow(
                () -> {
                    if (System.nanoTime() - dueNanos.get() >= 0) {
                        screen.draw(view.at(System.currentTimeMillis()));
                        dueNanos.set(System.nanoTime() + interval.toNanos());
                    }
                },
                screen::leave);
    }

    private void check() {
        if (interval.compareTo(SHORTEST) < 0) {
            throw CommandException.unusableInput("--interval: expected at least 200ms");
        }
        if (window.toSeconds() < 10 || window.toSeconds() > 3600) {
            throw CommandException.unusableInput("--window: expected 10s to 1h");
        }
        if (limit < 0) {
            throw CommandException.unusableInput("--limit " + limit + ": expected 0 or more");
        }
    }

    private void read(TopicSession session, TopView view) {
        Topics topics = session.topics();
        long sinceMillis = System.currentTimeMillis() - window.toMillis();
        session.reader()
                .topic(topics.workloadStatus(), WorkloadStatus.class, view.statuses::take)
                .topic(topics.nodes(), NodeEvent.class, (key, event) -> view.nodes.take(event))
                .topic(topics.pods(), PodEvent.class, (key, event) -> view.nodes.take(event))
                .topicSince(topics.decisions(), Decision.class, sinceMillis, (key, decision) -> view.take(decision))
                .topicSince(topics.outcomes(), Outcome.class, sinceMillis, (key, outcome) -> view.take(outcome));
    }
}
