package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.state.LawBrokenException;
import dev.muster.scheduler.streams.FaultTable.Fault;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FaultTableTest {
    @ParameterizedTest
    @MethodSource("steps")
    void whatAStepThrowsStopsItsDomainUnlessTheBrokersAreAtFault(Throwable problem, Fault expected) {
        assertThat(FaultTable.ofStep(problem)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("threads")
    void whatKillsAThreadIsRetriedUnlessNothingWouldGetBetter(Throwable problem, Fault expected) {
        assertThat(FaultTable.ofThread(new StreamsException("wrapped", problem)))
                .isEqualTo(expected);
    }

    private static Stream<Arguments> steps() {
        return Stream.of(
                Arguments.of(new LawBrokenException("node n1 holds 9 of 8 GPUs"), Fault.HALT_DOMAIN),
                Arguments.of(new NullPointerException(), Fault.HALT_DOMAIN),
                Arguments.of(new StackOverflowError(), Fault.HALT_DOMAIN),
                Arguments.of(new SerializationException("a Decision of 9000000 bytes"), Fault.HALT_DOMAIN),
                Arguments.of(new ProducerFencedException("a newer producer"), Fault.RETRY),
                Arguments.of(new TimeoutException("no answer"), Fault.RETRY),
                Arguments.of(new OutOfMemoryError(), Fault.FATAL));
    }

    private static Stream<Arguments> threads() {
        return Stream.of(
                Arguments.of(new DomainHaltedException("domain a stops", null), Fault.RETRY),
                Arguments.of(new TimeoutException("no answer"), Fault.RETRY),
                Arguments.of(new IllegalStateException("unknown"), Fault.RETRY),
                Arguments.of(new TopicAuthorizationException("muster.pods"), Fault.FATAL),
                Arguments.of(
                        new NoOffsetForPartitionException(Set.of(new TopicPartition("muster.pods", 0))), Fault.FATAL),
                Arguments.of(new OutOfMemoryError(), Fault.FATAL));
    }
}
