package dev.muster.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** How a process is. */
sealed interface Health {
    /** Why its loop does not come round. */
    List<String> stuck();

    /** What keeps it from doing its work; {@code kafka} says why Kafka does not answer. */
    List<String> notReady(Supplier<Optional<String>> kafka);

    /** Before it works. */
    record Starting(String stage) implements Health {
        @Override
        public List<String> stuck() {
            return List.of();
        }

        @Override
        public List<String> notReady(Supplier<Optional<String>> kafka) {
            return List.of(stage);
        }
    }

    /** Told to end, closing what it opened. */
    record Ending() implements Health {
        @Override
        public List<String> stuck() {
            return List.of();
        }

        @Override
        public List<String> notReady(Supplier<Optional<String>> kafka) {
            return List.of("ends");
        }
    }

    /** At work. */
    record Working(Service.Running service) implements Health {
        @Override
        public List<String> stuck() {
            return service.stuck();
        }

        @Override
        public List<String> notReady(Supplier<Optional<String>> kafka) {
            List<String> why = new ArrayList<>(service.stuck());
            why.addAll(service.notReady());
            kafka.get().ifPresent(why::add);
            return why;
        }
    }
}
