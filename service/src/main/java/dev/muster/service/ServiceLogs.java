package dev.muster.service;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Logs of a service: to stderr, a line each, plain or JSON. */
final class ServiceLogs {
    private static final String PLAIN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level [%thread] %logger{0}: %msg%n%rEx{short}";

    /** Tell at WARN, at each start, of what is meant. */
    private static final List<String> TALKATIVE = List.of(
            // Settings that another kind of client than theirs uses.
            "org.apache.kafka.clients.consumer.ConsumerConfig",
            "org.apache.kafka.clients.producer.ProducerConfig",
            "org.apache.kafka.clients.admin.AdminClientConfig",
            // A handler for global tables, of which there are none.
            "org.apache.kafka.streams.StreamsConfig",
            // That Volcano's kinds are called v1beta1.
            "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils");

    private ServiceLogs() {}

    /** How logs look before the configuration is known: what is wrong with that is said otherwise. */
    static final CommonConfig.Logs UNTIL_CONFIGURED = new CommonConfig.Logs("plain", "WARN");

    private static final String NETWORK = "org.apache.kafka.clients.NetworkClient";

    /** From now on each connection to a broker that fails is told; while a service starts, one line at the end says so. */
    static void tellOfConnections() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(NETWORK).setLevel(Level.WARN);
        }
    }

    /** From now on logs look like that. */
    static void configure(CommonConfig.Logs logs) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        context.reset();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setName("stderr");
        stderr.setTarget("System.err");
        EncoderBase<ILoggingEvent> encoder = logs.format().equals("json") ? json() : plain(context);
        encoder.setContext(context);
        encoder.start();
        stderr.setEncoder((Encoder<ILoggingEvent>) encoder);
        stderr.start();
        context.getLogger("ROOT").addAppender(stderr);
        context.getLogger("ROOT").setLevel(Level.WARN);
        context.getLogger("dev.muster").setLevel(Level.toLevel(logs.level()));
        context.getLogger(NETWORK).setLevel(Level.ERROR);
        TALKATIVE.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
    }

    private static EncoderBase<ILoggingEvent> plain(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PLAIN);
        return encoder;
    }

    private static EncoderBase<ILoggingEvent> json() {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setWithFormattedMessage(true);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithContext(false);
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        return encoder;
    }
}
