package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.HealthEpisode;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.HealthSignal.Scope;
import dev.muster.scheduler.core.model.HealthSignal.Severity;
import dev.muster.scheduler.core.model.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What health signals say of a node's GPUs. A signal counts for as long as its source says it is on and its time to live
 * lets it, and one that flaps until it has been quiet. A signal of one device speaks of that device alone, one of a link of
 * the devices at its ends; where it is not known which device it is, of all of them.
 */
final class GpuHealth {
    /** Those that are off are forgotten, the longest off first, beyond so many. */
    private static final int MOST = 256;

    private static final Comparator<HealthEpisode> LONGEST_OFF_FIRST =
            Comparator.comparingLong(HealthEpisode::offMillis).thenComparing(HealthEpisode::signal);

    private final TreeMap<HealthSignal, HealthEpisode> episodes = new TreeMap<>();
    private Severity worst = Severity.INFO;
    private final BitSet closed = new BitSet();
    private final BitSet degraded = new BitSet();
    private final BitSet unlinked = new BitSet();
    /** What closes all GPUs, and what closes single ones: the first of each, null where nothing does. */
    private HealthEpisode closesAll;

    private HealthEpisode closesSome;
    private long dueMillis = Long.MAX_VALUE;

    /** Takes a report; whether anything in it is news. */
    boolean report(List<HealthSignal> signals, long nowMillis, Policy.Health policy) {
        boolean news = false;
        TreeSet<HealthSignal> reported = new TreeSet<>(signals);
        for (HealthSignal signal : reported) {
            HealthEpisode known = episodes.get(signal);
            HealthEpisode now =
                    known == null ? HealthEpisode.begin(signal, nowMillis) : known.reported(signal, nowMillis, policy);
            news |= now != known;
            put(now);
        }
        for (HealthEpisode known : List.copyOf(episodes.values())) {
            if (known.on() && !reported.contains(known.signal())) {
                news = true;
                put(known.off(nowMillis));
            }
        }
        if (news) {
            forgetOld(nowMillis, policy);
            judge(policy);
        }
        return news;
    }

    /** The key is the signal as it is reported now: its value may be another. */
    private void put(HealthEpisode episode) {
        episodes.remove(episode.signal());
        episodes.put(episode.signal(), episode);
    }

    private void forgetOld(long nowMillis, Policy.Health policy) {
        episodes.values().removeIf(episode -> !episode.on() && episode.at(nowMillis, policy) == null);
        List<HealthEpisode> off = new ArrayList<>(episodes.values());
        off.removeIf(HealthEpisode::on);
        off.sort(LONGEST_OFF_FIRST);
        off.subList(0, Math.clamp(episodes.size() - (long) MOST, 0, off.size()))
                .forEach(episode -> episodes.remove(episode.signal()));
    }

    /** Time has passed. */
    void pass(long nowMillis, Policy.Health policy) {
        for (HealthEpisode known : List.copyOf(episodes.values())) {
            HealthEpisode now = known.at(nowMillis, policy);
            if (now == null) {
                episodes.remove(known.signal());
            } else {
                put(now);
            }
        }
        judge(policy);
    }

    /** Takes what a row remembers. */
    void restore(List<HealthEpisode> remembered, Policy.Health policy) {
        remembered.forEach(this::put);
        judge(policy);
    }

    /** Works out what follows. */
    void judge(Policy.Health policy) {
        worst = Severity.INFO;
        closed.clear();
        degraded.clear();
        unlinked.clear();
        closesAll = null;
        closesSome = null;
        dueMillis = Long.MAX_VALUE;
        for (HealthEpisode episode : episodes.values()) {
            dueMillis = Math.min(dueMillis, episode.dueMillis(policy));
            Severity severity = episode.severity(policy);
            boolean closes = severity.closes();
            if (!closes && severity != Severity.DEGRADED) {
                continue;
            }
            HealthSignal signal = episode.signal();
            if (signal.scope() == Scope.NODE || signal.device() < 0) {
                worst = worse(worst, severity);
                closesAll = closes && closesAll == null ? episode : closesAll;
            } else if (signal.scope() == Scope.DEVICE) {
                (closes ? closed : degraded).set(signal.device());
                closesSome = closes && closesSome == null ? episode : closesSome;
            } else {
                unlinked.set(signal.device());
                unlinked.set(Math.max(signal.peer(), signal.device()));
            }
        }
        degraded.andNot(closed);
    }

    private static Severity worse(Severity one, Severity other) {
        if (one == Severity.FATAL || other == Severity.FATAL) {
            return Severity.FATAL;
        }
        if (one.closes() || other.closes()) {
            return Severity.RECOVERABLE;
        }
        return Severity.DEGRADED;
    }

    /** Whether nothing is remembered. */
    boolean isEmpty() {
        return episodes.isEmpty();
    }

    /** What is remembered, by source. */
    List<HealthEpisode> episodes() {
        return List.copyOf(episodes.values());
    }

    /** The gravest of what is not about single devices: FATAL, RECOVERABLE, DEGRADED or INFO. */
    Severity worst() {
        return worst;
    }

    /** What closes all GPUs, or single ones, in a word, and how often it was raised where it came and went. */
    String trouble(boolean all) {
        HealthEpisode episode = all ? closesAll : closesSome;
        if (episode == null) {
            return "";
        }
        String kind = episode.signal().kind();
        return episode.raises() > 1 ? kind + ", raised " + episode.raises() + " times" : kind;
    }

    /** Whether a fatal signal is on. */
    boolean isFatal(Policy.Health policy) {
        return episodes.values().stream().anyMatch(episode -> isFatal(episode, policy));
    }

    private static boolean isFatal(HealthEpisode episode, Policy.Health policy) {
        return episode.on() && episode.severity(policy) == Severity.FATAL;
    }

    /**
     * The fatal signal that has been on for longest of those that concern a pod; null where none does. One of a link concerns
     * pods that have more than one GPU, among them one at its ends.
     *
     * @param devices those that the pod has, rising; none where it has no GPU
     */
    HealthEpisode fatalFor(int[] devices, Policy.Health policy) {
        HealthEpisode longest = null;
        for (HealthEpisode episode : episodes.values()) {
            boolean concerned = isFatal(episode, policy) && concerns(episode.signal(), devices);
            if (concerned && (longest == null || episode.onSinceMillis() < longest.onSinceMillis())) {
                longest = episode;
            }
        }
        return longest;
    }

    private static boolean concerns(HealthSignal signal, int[] devices) {
        if (devices.length == 0 || signal.scope() == Scope.LINK && devices.length == 1) {
            return false;
        }
        return signal.scope() == Scope.NODE
                || signal.device() < 0
                || Arrays.binarySearch(devices, signal.device()) >= 0
                || signal.peer() >= 0 && Arrays.binarySearch(devices, signal.peer()) >= 0;
    }

    /** Devices that get no new pods. */
    BitSet closed() {
        return closed;
    }

    /** Devices that are chosen last. */
    BitSet degraded() {
        return degraded;
    }

    /** Devices whose links to others do not work as they should. */
    BitSet unlinked() {
        return unlinked;
    }

    /** When something changes if nothing is heard until then, domain time; Long.MAX_VALUE for never. */
    long dueMillis() {
        return dueMillis;
    }
}
