package dev.muster.standalone.bench;

import dev.muster.standalone.stack.Connection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A scheduler in a process of its own, that is killed (SIGKILL) when it is closed. */
final class SchedulerChild implements AutoCloseable {
    private final Process process;
    private final Map<String, Long> steps = new ConcurrentHashMap<>();

    private SchedulerChild(Process process) {
        this.process = process;
    }

    static SchedulerChild start(Connection connection, Path stateDir, PrintStream progress) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(List.of(
                        java,
                        "-Xmx1g",
                        "-XX:+UseParallelGC",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SchedulerChildMain.class.getName(),
                        connection.kafka().get("bootstrap.servers").toString(),
                        connection.registryUri().toString(),
                        stateDir.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        SchedulerChild child = new SchedulerChild(process);
        Thread reader = new Thread(child::readSteps, "bench-child");
        reader.setDaemon(true);
        reader.start();
        return child;
    }

    private void readSteps() {
        try (BufferedReader lines = new BufferedReader(process.inputReader(StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                steps.put(line, System.nanoTime());
            }
        } catch (IOException | UncheckedIOException e) {
            // It was killed.
        }
    }

    /** What it said it has done, and when ({@code System.nanoTime} of this process). */
    Map<String, Long> steps() {
        return Map.copyOf(steps);
    }

    /** CPU seconds that it has used so far, all its threads together; 0 where the system does not say. */
    double cpuSeconds() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the scheduler ended with exit code " + process.exitValue());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
