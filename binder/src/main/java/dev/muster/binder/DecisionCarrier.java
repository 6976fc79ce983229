package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.Revoke;
import io.micrometer.core.instrument.MeterRegistry;

/** Hands each kind of decision to the part that carries it out. */
final class DecisionCarrier {

    private final GangBinder gangBinder;
    private final Revoker revoker;
    private final PodDeleter podDeleter;
    private final VictimEvictor victimEvictor;

    DecisionCarrier(GangBinder gangBinder, Revoker revoker, PodDeleter podDeleter, VictimEvictor victimEvictor) {
        this.gangBinder = gangBinder;
        this.revoker = revoker;
        this.podDeleter = podDeleter;
        this.victimEvictor = victimEvictor;
    }

    /** All parts, over one API. */
    static DecisionCarrier over(
            ClusterApi api,
            ClusterView view,
            PodCreator creator,
            Patience.Spacing spacing,
            Parallel parallel,
            BinderConfig config,
            ClaimWaits waits,
            MeterRegistry meters) {
        return new DecisionCarrier(
                new GangBinder(api, view, creator, spacing, parallel, config, waits, meters),
                new Revoker(api, spacing, parallel, config),
                new PodDeleter(api, spacing, parallel),
                new VictimEvictor(api, spacing, parallel));
    }

    Outcome carryOut(Decision decision, Halt halt) {
        return switch (decision.getAction()) {
            case PlaceGang place -> gangBinder.carryOut(decision, place, halt);
            case Revoke revoke -> revoker.carryOut(decision, revoke, halt);
            case DeletePods delete -> podDeleter.carryOut(decision, delete, halt);
            case Evict evict -> victimEvictor.carryOut(decision, evict, halt);
            // An Avro union is an Object to Java; the schema has these four.
            default -> throw new IllegalArgumentException("decision " + decision.getId() + " has no known action");
        };
    }

    /** Member cluster that a decision is for; empty where its action is none that this version knows. */
    static String clusterOf(Decision decision) {
        return switch (decision.getAction()) {
            case PlaceGang place -> place.getCluster();
            case Revoke revoke -> revoke.getCluster();
            case DeletePods delete -> delete.getCluster();
            case Evict evict -> evict.getCluster();
            default -> "";
        };
    }
}
