package dev.muster.scheduler.core.model;

import dev.muster.scheduler.core.model.HealthSignal.Severity;

/**
 * A health signal, from when it was raised first until it has been quiet for long enough. A signal that comes and goes is
 * one episode: it counts once, however often it was raised.
 *
 * @param signal as reported last
 * @param sinceMillis when it was raised first, domain time
 * @param raisedMillis when it was raised last, or got another value, domain time
 * @param raises how often it was raised
 * @param offMillis when it went off, domain time; -1 while it is on
 * @param steps steps that it counts less for its age
 */
public record HealthEpisode(
        HealthSignal signal, long sinceMillis, long raisedMillis, int raises, long offMillis, int steps) {
    private static final long ON = -1;

    /** One that begins now. */
    public static HealthEpisode begin(HealthSignal signal, long nowMillis) {
        return new HealthEpisode(signal, nowMillis, nowMillis, 1, ON, 0);
    }

    /** Whether its source says that it is on. */
    public boolean on() {
        return offMillis == ON;
    }

    /** Since when it is on without a break, domain time; of one that came back with another value since then, since that. */
    public long onSinceMillis() {
        return raises == 1 ? sinceMillis : raisedMillis;
    }

    /** Whether it comes and goes. */
    public boolean flaps(Policy.Health policy) {
        return raises >= policy.flaps();
    }

    /** What it asks for now: one that flaps counts until it has been quiet. */
    public Severity severity(Policy.Health policy) {
        return on() || flaps(policy) ? signal.severity().after(steps) : Severity.INFO;
    }

    /** When that changes if nothing is heard until then, domain time; Long.MAX_VALUE for never. */
    public long dueMillis(Policy.Health policy) {
        Severity now = severity(policy);
        if (!now.closes() && now != Severity.DEGRADED) {
            return Long.MAX_VALUE;
        }
        if (!on()) {
            return offMillis + policy.quietMillis();
        }
        long ttl = signal.ttlMillis() > 0 ? signal.ttlMillis() : policy.ttlMillis();
        return ttl == 0 ? Long.MAX_VALUE : raisedMillis + ttl * (steps + 1);
    }

    /** The same one time to live later. */
    private HealthEpisode older() {
        return new HealthEpisode(signal, sinceMillis, raisedMillis, raises, offMillis, steps + 1);
    }

    /** It is reported: again after it was off, with another value, or as it was. */
    public HealthEpisode reported(HealthSignal now, long nowMillis, Policy.Health policy) {
        if (on()) {
            return now.equals(signal) ? this : new HealthEpisode(now, sinceMillis, nowMillis, raises, ON, 0);
        }
        boolean quiet = offMillis + policy.quietMillis() <= nowMillis;
        return quiet ? begin(now, nowMillis) : new HealthEpisode(now, sinceMillis, nowMillis, raises + 1, ON, 0);
    }

    /** It is not reported any more. */
    public HealthEpisode off(long nowMillis) {
        return on() ? new HealthEpisode(signal, sinceMillis, raisedMillis, raises, nowMillis, steps) : this;
    }

    /** What is left of it at a time: it counts less, or it is forgotten (null). */
    public HealthEpisode at(long nowMillis, Policy.Health policy) {
        if (!on()) {
            return offMillis + policy.quietMillis() <= nowMillis ? null : this;
        }
        HealthEpisode now = this;
        while (now.dueMillis(policy) <= nowMillis) {
            now = now.older();
        }
        return now;
    }
}
