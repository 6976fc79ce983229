package dev.muster.standalone.faults;

import dev.muster.schemas.topic.Topics;
import java.util.List;
import java.util.SplittableRandom;

/** Records that nobody can read, on topics that the scheduler reads. */
final class Poison {
    private final MemoryKafka kafka;
    private final FaultPlan faults;
    private final SplittableRandom random;
    private final List<String> targets;
    private int written;

    Poison(MemoryKafka kafka, FaultPlan faults, SplittableRandom random, Topics topics) {
        this.kafka = kafka;
        this.faults = faults;
        this.random = random;
        this.targets = List.of(
                topics.nodes(),
                topics.pods(),
                topics.workloads(),
                topics.policies(),
                topics.submissions(),
                topics.outcomes());
    }

    /** How many there are. */
    int written() {
        return written;
    }

    void act() {
        if (!faults.strikes(Fault.POISON_RECORD)) {
            return;
        }
        byte[] value = new byte[random.nextInt(40)];
        random.nextBytes(value);
        if (random.nextBoolean() && value.length > 5) {
            // The wire format's beginning, and a schema that nobody registered.
            value[0] = 0;
            value[1] = 0x7f;
        }
        kafka.append(targets.get(random.nextInt(targets.size())), "poison", value);
        written++;
    }
}
