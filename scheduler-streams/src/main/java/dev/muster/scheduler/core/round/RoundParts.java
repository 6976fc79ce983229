package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Overlay;

/**
 * What the steps of a round share.
 *
 * @param glance null where everybody is looked at closely
 */
record RoundParts(
        DomainState state,
        ClusterAccess access,
        KnownRoom known,
        Overlay overlay,
        KeptRoom kept,
        GangPlacer placer,
        Preemption preemption,
        QuotaGate gate,
        GangDecisions decisions,
        Sentences sentences,
        Glance glance) {}
