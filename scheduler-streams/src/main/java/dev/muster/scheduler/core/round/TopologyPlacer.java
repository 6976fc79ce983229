package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.round.DomainSearch.Findings;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.round.GangParts.SubGroup;
import dev.muster.scheduler.core.round.GangParts.Wishing;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds room for gangs that ask for a place in the topology, or are divided into subgroups.
 *
 * <p>Domains for the whole gang are tried from the nearest tier that is allowed on; inside one, subgroups and pod sets look
 * for their own domains in the same way. A gang that runs already keeps what is missing of it where the others are, and one
 * that starts anew gets the nodes it had, rank by rank, where these are free.
 */
final class TopologyPlacer {
    private final PodTerms terms;
    private final Overlay overlay;
    private final BatchPlacer batches;

    TopologyPlacer(PodTerms terms, Overlay overlay, BatchPlacer batches) {
        this.terms = terms;
        this.overlay = overlay;
        this.batches = batches;
    }

    /** Whether a workload is to be placed by topology. */
    static boolean concerns(Workload workload) {
        if (workload.topology() != null
                || !workload.subGroups().isEmpty()
                || workload.tree() != null
                || workload.wholePlace().given()) {
            return true;
        }
        InternedRequirement uniform = workload.uniformWaiting();
        if (uniform != null) {
            return uniform.requirement().topology().given();
        }
        for (PodSet podSet : workload.podSetsInOrder()) {
            for (Member member : podSet.waiting()) {
                if (member.requirement().requirement().topology().given()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Reserves room for the members that the minimum lacks; null when all found it, otherwise nothing stays reserved. */
    Kept placeMinimum(Workload workload, ClusterState cluster) {
        if (new LastPlaces(workload, cluster, terms, overlay, batches).placeAgain()) {
            return null;
        }
        Together together = new Together(terms, overlay, batches, cluster);
        if (workload.tree() != null) {
            AsManyAsFit more = new AsManyAsFit(together, batches, cluster);
            boolean placed = new SubGroupPlacer(workload, cluster, together, more, overlay).placeMinimum();
            return placed ? null : keptOut(workload, together);
        }
        GangParts parts = new GangParts(workload);
        if (!asksAsAWhole(workload)) {
            boolean placed = new SubGroupMinimum(workload, cluster, parts, together, overlay, null).place();
            return placed ? null : keptOut(workload, together);
        }
        return inOneDomain(workload, cluster, parts, together);
    }

    /** What was remembered of what kept it out; where nothing was, that its first pods found no room. */
    private static Kept keptOut(Workload workload, Together together) {
        if (together.kept() == null) {
            Batch first = together.kinds(waiting(workload)).getFirst();
            together.keep(first, first.size(), null);
        }
        return together.kept();
    }

    private Kept inOneDomain(Workload workload, ClusterState cluster, GangParts parts, Together together) {
        List<Member> waiting = waiting(workload);
        Wish wish = wholeWish(workload, cluster);
        if (wish == null) {
            together.keepUnknown(waiting, levelOf(workload));
            return together.kept();
        }
        List<Batch> all = together.kinds(waiting);
        Findings findings = new Findings();
        boolean placed = DomainSearch.search(
                wish,
                Together.near(wish.tree(), parts.placed(), waiting.getFirst()),
                null,
                together.capacities(all, wish, null),
                surelyNeeded(workload, all),
                findings,
                domain -> new SubGroupMinimum(
                                workload, cluster, parts, together, overlay, new Scope(wish.tree(), domain))
                        .place());
        return placed ? null : keptBy(workload, wish, all, findings, together.kept());
    }

    private static boolean asksAsAWhole(Workload workload) {
        return workload.topology() != null || workload.wholePlace().given();
    }

    /** What the gang asks for as a whole; null where nothing, or where the cluster has no such level. */
    private static Wish wholeWish(Workload workload, ClusterState cluster) {
        NetworkTopology network = workload.topology();
        if (network != null) {
            return Wish.of(network, cluster);
        }
        PodSetTopology place = workload.wholePlace();
        return place.given() ? Wish.of(place, cluster) : null;
    }

    private static String levelOf(Workload workload) {
        NetworkTopology network = workload.topology();
        return network == null ? workload.wholePlace().level() : network.highestTierName();
    }

    private static List<Member> waiting(Workload workload) {
        List<Member> waiting = new ArrayList<>();
        workload.podSetsInOrder().forEach(podSet -> waiting.addAll(podSet.waiting()));
        return waiting;
    }

    /** How many of each batch every placement has. */
    private static int[] surelyNeeded(Workload workload, List<Batch> all) {
        Minimum minimum = new Minimum(workload);
        int[] needs = new int[all.size()];
        for (int i = 0; i < needs.length; i++) {
            Batch batch = all.get(i);
            boolean onlyOne = all.stream()
                            .filter(other -> other.podSet() == batch.podSet())
                            .count()
                    == 1;
            int own = onlyOne ? minimum.missing(batch.podSet()) : 0;
            needs[i] = Math.min(batch.size(), all.size() == 1 ? minimum.missing() : own);
        }
        return needs;
    }

    /** Where a domain was tried, what kept the gang out of it; otherwise that none is large enough. */
    private static Kept keptBy(Workload workload, Wish wish, List<Batch> all, Findings findings, Kept inside) {
        if (inside != null && all.size() > 1) {
            return inside;
        }
        int missing = new Minimum(workload).missing();
        Batch first = all.getFirst();
        return new Kept(
                first.requirement(),
                first.stance(),
                all.size() == 1 ? missing : first.size(),
                new NoDomain(wish, wish.level(), missing, findings.domains, findings.largest));
    }

    /** Reserves room for as many waiting members as fit, subgroups whole; null when all did. */
    Kept placeSurplus(Workload workload, ClusterState cluster) {
        Together together = new Together(terms, overlay, batches, cluster);
        AsManyAsFit more = new AsManyAsFit(together, batches, cluster);
        if (workload.tree() != null) {
            new SubGroupPlacer(workload, cluster, together, more, overlay).placeRest();
        } else {
            placeRest(workload, cluster, together, more);
        }
        return together.kept();
    }

    private static void placeRest(Workload workload, ClusterState cluster, Together together, AsManyAsFit more) {
        GangParts parts = new GangParts(workload);
        Wish whole = wholeWish(workload, cluster);
        Scope scope = whole == null ? null : AsManyAsFit.widest(whole, parts.placed());
        for (SubGroup group : parts.subGroups()) {
            Wish wish = Wish.of(group.policy(), cluster);
            if (group.possible()) {
                together.place(group.together(), wish, group.placed(), scope);
            } else if (group.complete()) {
                more.place(group.waiting(), wish == null ? whole : wish, group.placed(), scope);
            }
        }
        for (Wishing wishing : parts.wishing()) {
            if (wishing.waiting().isEmpty()) {
                continue;
            }
            Wish wish = Wish.of(wishing.asked(), cluster);
            if (wish == null) {
                together.keepUnknown(wishing.waiting(), wishing.asked().level());
            } else if (wish.slices().isEmpty()) {
                more.place(wishing.waiting(), wish, wishing.placed(), scope);
            } else {
                more.placeSlices(wishing.waiting(), wish, wishing.placed(), scope);
            }
        }
        for (PodSet podSet : new Minimum(workload).byPriority()) {
            more.place(parts.plain(podSet), whole, parts.placed(), scope);
        }
    }
}
