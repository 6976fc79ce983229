package dev.muster.standalone.scenario;

import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.standalone.scenario.expect.Expectation;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What a run is about: the objects of the clusters, what happens to them, and what must hold.
 *
 * @param name metadata.name, or the first file's name where there is no Scenario document
 * @param file where the Scenario document stands, or the files
 * @param seenIn where the case was seen; may be empty
 * @param untilMillis when the run ends; empty to run until nothing more happens
 * @param restartMillis when the scheduler is stopped and restored, rising
 * @param steps in the order in which they are carried out
 */
public record Scenario(
        String name,
        String file,
        String description,
        String seenIn,
        Optional<Long> untilMillis,
        List<Long> restartMillis,
        Settings settings,
        List<Step> steps,
        List<Expectation> expectations) {
    public Scenario {
        restartMillis = restartMillis.stream().sorted().distinct().toList();
        steps = List.copyOf(steps);
        expectations = List.copyOf(expectations);
    }

    /**
     * Scheduler settings.
     *
     * @param strategy how nodes are scored
     * @param bindTimeoutMillis how long a gang may be half bound
     * @param backoffMillis first back-off after a failed binding; doubles each time
     * @param backoffMaxMillis longest back-off
     * @param health what is made of GPU health signals
     * @param queueStrategies how nodes are scored for workloads of a queue
     * @param weights of score rules
     * @param volumeBindTimeoutMillis how much longer it may take where claims have to be bound first
     * @param preemption who may be evicted for whom, and how often
     * @param fairSharing how queues share what they do not own
     */
    public record Settings(
            String strategy,
            long bindTimeoutMillis,
            long backoffMillis,
            long backoffMaxMillis,
            Policy.Health health,
            SortedMap<String, String> queueStrategies,
            SortedMap<String, Integer> weights,
            long volumeBindTimeoutMillis,
            PreemptionPolicy preemption,
            FairSharing fairSharing) {
        public static final Settings DEFAULT = new Settings("mixed", 30_000, 1_000, 300_000);

        /** Everything else as usual. */
        public Settings(String strategy, long bindTimeoutMillis, long backoffMillis, long backoffMaxMillis) {
            this(
                    strategy,
                    bindTimeoutMillis,
                    backoffMillis,
                    backoffMaxMillis,
                    Policy.Health.DEFAULT,
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    600_000,
                    PreemptionPolicy.DEFAULT,
                    FairSharing.DEFAULT);
        }
    }

    /** Member clusters that objects live in, by name. */
    public List<String> clusters() {
        TreeSet<String> names = new TreeSet<>();
        steps.forEach(step -> names.add(step.manifest().cluster()));
        return names.isEmpty() ? List.of(Manifest.DEFAULT_CLUSTER) : List.copyOf(names);
    }

    /** The same with the scheduler restarted at these moments instead. */
    public Scenario withRestarts(List<Long> millis) {
        return new Scenario(name, file, description, seenIn, untilMillis, millis, settings, steps, expectations);
    }

    /** The same, ending at that moment. */
    public Scenario withUntil(long millis) {
        return new Scenario(
                name, file, description, seenIn, Optional.of(millis), restartMillis, settings, steps, expectations);
    }
}
