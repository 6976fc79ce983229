package dev.muster.standalone.cluster;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How a simulated cluster behaves.
 *
 * @param name the cluster's name
 * @param host address to listen on; anything but loopback lets in whoever comes, and asks nobody who they are
 * @param port port, 0 for any that is free
 * @param speed how many times faster than real time pods run and terminate; above 0
 * @param startDelay how long a kubelet takes to start a bound pod, before {@code speed} is applied
 * @param bookmarkInterval how often a watch that wants bookmarks gets one
 * @param historySize changes kept per kind for watches; a watch that lags further behind gets 410
 * @param createNamespaces whether a missing namespace is created on demand; a real API server answers 404
 * @param groupsOff API groups that are not served, as without their CRDs
 * @param moreKinds kinds served beside those of {@link ResourceKinds}
 * @param clock source of the timestamps in metadata and status; decides nothing
 */
public record SimulatedClusterOptions(
        String name,
        String host,
        int port,
        double speed,
        Duration startDelay,
        Duration bookmarkInterval,
        int historySize,
        boolean createNamespaces,
        Set<String> groupsOff,
        List<ResourceKind> moreKinds,
        Clock clock) {

    /** The loopback address. */
    public static final String LOOPBACK = "127.0.0.1";

    /** A cluster in real time on a free port, as strict as a real one. */
    public static final SimulatedClusterOptions DEFAULT = new SimulatedClusterOptions(
            "default",
            LOOPBACK,
            0,
            1.0,
            Duration.ofMillis(500),
            Duration.ofSeconds(10),
            10_000,
            false,
            Set.of(),
            List.of(),
            Clock.systemUTC());

    public SimulatedClusterOptions {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a cluster needs a name");
        }
        if (!(speed > 0)) {
            throw new IllegalArgumentException("speed must be above 0, not " + speed);
        }
        if (historySize < 1) {
            throw new IllegalArgumentException("historySize must be above 0, not " + historySize);
        }
        groupsOff = Set.copyOf(groupsOff);
        moreKinds = List.copyOf(moreKinds);
    }

    public SimulatedClusterOptions withName(String value) {
        return new SimulatedClusterOptions(
                value,
                host,
                port,
                speed,
                startDelay,
                bookmarkInterval,
                historySize,
                createNamespaces,
                groupsOff,
                moreKinds,
                clock);
    }

    /** The same on another address. */
    public SimulatedClusterOptions withHost(String value) {
        return new SimulatedClusterOptions(
                name,
                value,
                port,
                speed,
                startDelay,
                bookmarkInterval,
                historySize,
                createNamespaces,
                groupsOff,
                moreKinds,
                clock);
    }

    public SimulatedClusterOptions withPort(int value) {
        return new SimulatedClusterOptions(
                name,
                host,
                value,
                speed,
                startDelay,
                bookmarkInterval,
                historySize,
                createNamespaces,
                groupsOff,
                moreKinds,
                clock);
    }

    public SimulatedClusterOptions withSpeed(double value) {
        return new SimulatedClusterOptions(
                name,
                host,
                port,
                value,
                startDelay,
                bookmarkInterval,
                historySize,
                createNamespaces,
                groupsOff,
                moreKinds,
                clock);
    }

    public SimulatedClusterOptions withStartDelay(Duration value) {
        return new SimulatedClusterOptions(
                name,
                host,
                port,
                speed,
                value,
                bookmarkInterval,
                historySize,
                createNamespaces,
                groupsOff,
                moreKinds,
                clock);
    }

    public SimulatedClusterOptions withBookmarkInterval(Duration value) {
        return new SimulatedClusterOptions(
                name, host, port, speed, startDelay, value, historySize, createNamespaces, groupsOff, moreKinds, clock);
    }

    public SimulatedClusterOptions withHistorySize(int value) {
        return new SimulatedClusterOptions(
                name,
                host,
                port,
                speed,
                startDelay,
                bookmarkInterval,
                value,
                createNamespaces,
                groupsOff,
                moreKinds,
                clock);
    }

    public SimulatedClusterOptions withCreateNamespaces(boolean value) {
        return new SimulatedClusterOptions(
                name, host, port, speed, startDelay, bookmarkInterval, historySize, value, groupsOff, moreKinds, clock);
    }

    public SimulatedClusterOptions withGroupsOff(Set<String> value) {
        return new SimulatedClusterOptions(
                name,
                host,
                port,
                speed,
                startDelay,
                bookmarkInterval,
                historySize,
                createNamespaces,
                value,
                moreKinds,
                clock);
    }

    public SimulatedClusterOptions withMoreKinds(List<ResourceKind> value) {
        return new SimulatedClusterOptions(
                name,
                host,
                port,
                speed,
                startDelay,
                bookmarkInterval,
                historySize,
                createNamespaces,
                groupsOff,
                value,
                clock);
    }

    public SimulatedClusterOptions withClock(Clock value) {
        return new SimulatedClusterOptions(
                name,
                host,
                port,
                speed,
                startDelay,
                bookmarkInterval,
                historySize,
                createNamespaces,
                groupsOff,
                moreKinds,
                value);
    }
}
