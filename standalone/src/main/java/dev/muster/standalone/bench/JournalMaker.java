package dev.muster.standalone.bench;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.streams.DecisionCodec;
import dev.muster.scheduler.streams.Decoded;
import dev.muster.scheduler.streams.EventCodec;
import dev.muster.scheduler.streams.JournalCodec;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.standalone.bench.ClusterNews.Place;
import dev.muster.standalone.bench.ClusterNews.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * Makes the journal that a scheduler would have written under the load of {@code muster bench stream}, on made-up time and
 * without a broker: every 5 ms of it some gangs arrive, what was placed is bound, what has run its time ends, and a round
 * runs.
 */
final class JournalMaker {
    private static final long START_MILLIS = 1_750_000_000_000L;
    private static final int TICK_MILLIS = 5;
    private static final int GONE_AFTER_MILLIS = 500;

    private final StreamOptions options;
    private final ClusterNews news;
    private final EventCodec events;
    private final DecisionCodec decisionCodec;
    private final JournalCodec journal;
    private final Consumer<dev.muster.schemas.journal.JournalEntry> taker;
    private final Engine engine = Engine.empty();
    private final Deque<Running> running = new ArrayDeque<>();
    private final Deque<Running> ended = new ArrayDeque<>();
    private long nowMillis = START_MILLIS;
    private int gangs;
    private long decisions;
    private List<Decision> undelivered = new ArrayList<>();

    private record Running(int gang, Place[] places, long untilMillis) {}

    JournalMaker(String domain, StreamOptions options, Consumer<dev.muster.schemas.journal.JournalEntry> taker) {
        this.options = options;
        this.news = new ClusterNews(domain, options.source());
        this.events = new EventCodec(domain);
        this.decisionCodec = new DecisionCodec(domain);
        this.journal = new JournalCodec(domain);
        this.taker = taker;
    }

    /** Makes at least so many entries; returns how many decisions were made on the way. */
    long make(long entries) {
        enter(new ClusterEvent.EngineStarted(Engine.VERSION));
        news.firstLists(options.nodes()).forEach(this::enter);
        long arrivedMillis = 0;
        while (engine.nextSequence() < entries) {
            nowMillis += TICK_MILLIS;
            arrivedMillis += TICK_MILLIS;
            deliver();
            end();
            while ((long) gangs * 1_000 < arrivedMillis * options.gangsPerSecond()) {
                submit(gangs++);
            }
            String cause = engine.tickCause(nowMillis);
            if (cause != null) {
                enter(new ClusterEvent.Tick(cause));
            }
        }
        return decisions;
    }

    private void submit(int gang) {
        if (options.source() == StreamOptions.Source.jobs) {
            enter(news.submission(gang, nowMillis));
            return;
        }
        enter(news.group(gang, Change.UPSERT));
        for (int index = 0; index < StreamOptions.GANG; index++) {
            enter(news.pod(gang, index, Stage.CREATED, null));
        }
    }

    private void deliver() {
        List<Decision> made = undelivered;
        undelivered = new ArrayList<>();
        for (Decision decision : made) {
            if (!(decision.action() instanceof Action.PlaceGang)) {
                throw new IllegalStateException("nothing is ever taken back here, yet: " + decision);
            }
            var record = decisionCodec.write(decision);
            int gang = ClusterNews.gangOf(record);
            Place[] places = ClusterNews.places(record, (PlaceGang) record.getAction());
            for (int index = 0; index < StreamOptions.GANG; index++) {
                if (options.source() == StreamOptions.Source.jobs) {
                    enter(news.pod(gang, index, Stage.CREATED, null));
                }
                enter(news.pod(gang, index, Stage.BOUND, places[index]));
            }
            enter(news.bound(record, gang, nowMillis));
            running.add(new Running(gang, places, nowMillis + options.lifetimeNanos() / 1_000_000));
        }
    }

    private void end() {
        while (!running.isEmpty() && running.peek().untilMillis() <= nowMillis) {
            Running over = running.remove();
            for (int index = 0; index < StreamOptions.GANG; index++) {
                enter(news.pod(over.gang(), index, Stage.ENDED, over.places()[index]));
            }
            ended.add(new Running(over.gang(), null, nowMillis + GONE_AFTER_MILLIS));
        }
        while (!ended.isEmpty() && ended.peek().untilMillis() <= nowMillis) {
            Running gone = ended.remove();
            for (int index = 0; index < StreamOptions.GANG; index++) {
                enter(news.podGone(gone.gang(), index));
            }
            if (options.source() == StreamOptions.Source.pods) {
                enter(news.group(gone.gang(), Change.DELETE));
            }
        }
    }

    private void enter(SpecificRecord record) {
        switch (events.read(record)) {
            case Decoded.Event event -> enter(event.event());
            case Decoded.Refused refused -> throw new IllegalStateException(refused.toString());
        }
    }

    private void enter(ClusterEvent event) {
        JournalEntry entry = new JournalEntry(engine.nextSequence(), nowMillis, event);
        Effects effects = engine.apply(entry);
        if (effects.applied()) {
            taker.accept(journal.write(entry, "", -1));
            decisions += effects.decisions().size();
            undelivered.addAll(effects.decisions());
        }
    }
}
