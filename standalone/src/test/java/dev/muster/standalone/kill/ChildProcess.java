package dev.muster.standalone.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own, from this one's class path. It can be killed, and stopped and continued, at any moment; it ends when
 * this JVM ends, whatever ends this one.
 */
final class ChildProcess implements AutoCloseable {
    private static final Duration DIES_WITHIN = Duration.ofSeconds(10);

    private final String name;
    private Path log;
    private final Process process;

    private ChildProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a main class.
     *
     * @param log what it prints goes here, after what is there
     */
    static ChildProcess start(String name, Path log, List<String> jvmOptions, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new ChildProcess(name, log, process);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** In {@code main}: ends this JVM at once when the one that started it is gone. */
    static void endWithParent() {
        Thread.ofPlatform().daemon().name("parent-watch").start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing is ever written.
                }
            } catch (IOException e) {
                // Gone as well.
            }
            Runtime.getRuntime().halt(9);
        });
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when it is dead. */
    void kill() {
        process.destroyForcibly();
        awaitEnd(DIES_WITHIN);
    }

    /** SIGTERM; returns when it ended by itself, or after a kill. */
    void end(Duration within) {
        process.destroy();
        try {
            if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    /** Waits for it to end by itself and returns its exit code. */
    int awaitEnd(Duration within) {
        try {
            if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(name + " did not end within " + within);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + name, e);
        }
    }

    /** SIGSTOP: it stands still and its connections stay open. */
    void hold() {
        signal("STOP");
    }

    /** SIGCONT. */
    void release() {
        signal("CONT");
    }

    /** Moves what it printed, and prints from now on, to another file. */
    void keepLogAs(Path file) {
        try {
            log = Files.move(log, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything it printed so far, and earlier processes on the same file. */
    String printed() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -" + signal + " of " + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
