package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Members;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Revocations;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.List;

/** One scheduling round, run when a tick says so. */
final class Round {
    private final DomainState state;
    private final Members members;
    private final Revocations revocations;
    private final Decisions decisions;
    private final Profiles profiles;
    private final CandidateIndex candidates;
    private final Glance glance;

    /** @param glance null where everybody is looked at closely */
    Round(
            DomainState state,
            Members members,
            Revocations revocations,
            Decisions decisions,
            Profiles profiles,
            CandidateIndex candidates,
            Glance glance) {
        this.state = state;
        this.members = members;
        this.revocations = revocations;
        this.decisions = decisions;
        this.profiles = profiles;
        this.candidates = candidates;
        this.glance = glance;
    }

    void run() {
        // 1. What is overdue is taken back.
        for (Revocations.Pending pending : revocations.due()) {
            decisions.add(pending.workload(), pending.attempt(), pending.action());
        }
        // 2. Whoever waited long enough after a failure may try again, and GPUs whose signals have had their time
        // return.
        state.endBackoffs();
        state.ageHealthSignals();
        state.lookAgainIfDue();
        // What runs in queues that are to be emptied goes.
        new Draining(state, decisions).run();
        // 3. Gangs that lost members to sick GPUs or nodes keep their slots before anybody else may have them.
        List<Workload> marked = List.copyOf(state.marked().values());
        RoundParts parts = parts(marked);
        new BrokenGangs(parts, members.slots(), decisions).run();
        // 4. Everything that waits is worth a look when room became free, otherwise only what is new.
        boolean roomFreed = state.roomFreed();
        state.clearMarks();
        state.queues().roundBegins();
        List<Lane> lanes = roomFreed ? Lane.of(state.lanes()) : Lane.ofAny(marked);
        Standings standings = new Standings(state, members.kept());
        Line line =
                standings.matter() ? new FairLine(lanes, standings, state.queues()::usedLately) : new PlainLine(lanes);
        // 5. Minimums: whole gangs or nothing. In the order of shares, where queues share; else in that of priority and
        // arrival, who borrows no quota first.
        List<Workload> started = new ArrayList<>();
        Minimums minimums = new Minimums(parts);
        if (!standings.byShare()) {
            minimums.place(line, started, roomFreed, false);
            line.again();
        }
        minimums.place(line, started, roomFreed, true);
        parts.sentences().leftOutToTell().forEach(minimums::placeLeftOut);
        // 6. Surplus members, once every gang had its chance.
        new Surplus(parts).place(started);
        parts.preemption().end();
        parts.sentences().tell();
    }

    private RoundParts parts(List<Workload> news) {
        ClusterAccess access = new ClusterAccess(state);
        Overlay overlay = new Overlay(state, members);
        KeptRoom kept = members.kept();
        GangPlacer placer = new GangPlacer(state, profiles, overlay, candidates);
        QuotaGate gate = new QuotaGate(state);
        return new RoundParts(
                state,
                access,
                new KnownRoom(state, access),
                overlay,
                kept,
                placer,
                new Preemption(state, kept, profiles, overlay, placer, candidates, gate, decisions),
                gate,
                new GangDecisions(state, overlay, kept, decisions),
                new Sentences(state, kept, new Explainer(state, profiles.usual(state.policy())), news),
                glance);
    }
}
