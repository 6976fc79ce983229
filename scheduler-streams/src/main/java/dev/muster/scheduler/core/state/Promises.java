package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.ClaimPlacement;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * What claims of a cluster that are not bound get, as the placements under way have it: one volume for one claim, however many
 * pods use it. A promise lasts as long as room is held for one of them.
 */
public final class Promises {
    private final TreeMap<String, Promise> byClaim = new TreeMap<>();
    private final TreeMap<String, String> byVolume = new TreeMap<>();

    private record Promise(ClaimPlacement placement, int pods) {}

    Promises() {}

    /** What a claim was promised; null where nothing was. */
    public ClaimPlacement of(String claim) {
        Promise promise = byClaim.get(claim);
        return promise == null ? null : promise.placement();
    }

    /** Whether a volume was promised to some claim. */
    public boolean taken(String volume) {
        return byVolume.containsKey(volume);
    }

    /** Claims that were promised something, sorted. */
    public Set<String> claims() {
        return byClaim.keySet();
    }

    /** Whether all of this can be promised beside what was promised. */
    boolean stand(List<ClaimPlacement> placements) {
        return placements.stream().allMatch(placement -> conflict(placement) == null);
    }

    /** What was promised that a promise contradicts; null for nothing. */
    private String conflict(ClaimPlacement placement) {
        Promise known = byClaim.get(placement.claim());
        if (known != null && !known.placement().equals(placement)) {
            return "was promised " + known.placement();
        }
        String owner = placement.isMade() ? null : byVolume.get(placement.volume());
        return owner == null || owner.equals(placement.claim()) ? null : "claim " + owner + " was promised that volume";
    }

    /** One more pod that uses the claim has a place. */
    void make(ClaimPlacement placement) {
        String conflict = conflict(placement);
        if (conflict != null) {
            throw new LawBrokenException(
                    "claim " + placement.claim() + " is promised " + placement + ", but " + conflict);
        }
        Promise known = byClaim.get(placement.claim());
        byClaim.put(placement.claim(), new Promise(placement, known == null ? 1 : known.pods() + 1));
        if (!placement.isMade()) {
            byVolume.put(placement.volume(), placement.claim());
        }
    }

    /** One less. */
    void withdraw(ClaimPlacement placement) {
        Promise known = byClaim.get(placement.claim());
        if (known.pods() > 1) {
            byClaim.put(placement.claim(), new Promise(placement, known.pods() - 1));
            return;
        }
        byClaim.remove(placement.claim());
        if (!placement.isMade()) {
            byVolume.remove(placement.volume());
        }
    }

    /** Whether another one, made from scratch, says the same; for the laws. */
    boolean agreesWith(Promises other) {
        return byClaim.equals(other.byClaim) && byVolume.equals(other.byVolume);
    }

    @Override
    public String toString() {
        return byClaim.values().toString();
    }
}
