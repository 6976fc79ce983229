package dev.muster.standalone.cli;

import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.demo.Interruption;
import dev.muster.standalone.stack.Connection;
import dev.muster.standalone.stack.TopicReader;
import java.time.Duration;

/** The topics of an installation, open for a command that reads them. */
final class TopicSession implements AutoCloseable {
    private final Environment environment;
    private final Connection connection;
    private final Topics topics;
    private TopicReader reader;
    private String said = "";

    private TopicSession(Environment environment, Connection connection, Topics topics) {
        this.environment = environment;
        this.connection = connection;
        this.topics = topics;
        this.reader = new TopicReader(connection);
    }

    /** @throws CommandException when the options name no place, or nobody answers there */
    static TopicSession open(ConnectionOptions options, Environment environment) {
        Topics topics = options.topics(environment);
        Connection connection = options.open(environment);
        try {
            return new TopicSession(environment, connection, topics);
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    Topics topics() {
        return topics;
    }

    /** What is to be read; topics are added before the first reading. */
    TopicReader reader() {
        return reader;
    }

    /**
     * Reads what is committed now. Says on stderr what could not be decoded.
     *
     * @throws CommandException when there is something, and nothing of it can be decoded
     */
    void readToEnd() {
        reader.readToEnd();
        if (reader.understandsNothing()) {
            throw CommandException.unusableInput(reader.leftOut().orElseThrow()
                    + " (nothing could be decoded: is this the registry that these topics were written with?)");
        }
        sayWhatIsLeftOut();
    }

    /** A second reading, of other topics. */
    TopicReader readAnew() {
        reader.close();
        reader = new TopicReader(connection);
        said = "";
        return reader;
    }

    /**
     * Reads on until Ctrl-C, which then ends the process with 130 as it does any other, and closes.
     *
     * @param look done after each reading, several times a second
     * @param last done at the end, before the process may go
     */
    void follow(Runnable look, Runnable last) throws InterruptedException {
        try (Interruption interruption = Interruption.ofProcess()) {
            try {
                while (!interruption.within(Duration.ZERO)) {
                    look.run();
                    reader.poll();
                }
            } finally {
                last.run();
                close();
            }
        }
    }

    @Override
    public void close() {
        reader.close();
        connection.close();
    }

    /** Says on stderr what could not be decoded, when that has changed. */
    void sayWhatIsLeftOut() {
        String now = reader.leftOut().orElse("");
        if (!now.equals(said)) {
            environment.err().println("muster: " + FailureTable.oneLine(now));
            said = now;
        }
    }
}
