package dev.muster.service;

import dev.muster.schemas.topic.TopicSpec;
import java.util.List;
import java.util.Set;

/**
 * A service as its main gives it to {@link ServiceProcess}.
 *
 * @param <C> its configuration
 */
public interface Service<C> {
    /** Its name in messages, such as {@code muster-binder}. */
    String name();

    /** What it does, in a sentence, for its help. */
    String about();

    /** Where it serves health and metrics unless said otherwise. */
    int defaultHttpPort();

    /** Its own settings, beside those of every service. */
    List<Key<?>> keys();

    /** Its configuration; null where something is wrong, which the values have been told. */
    C read(Values values);

    /** The topics that must be there. */
    default List<TopicSpec> topics(C config, CommonConfig common) {
        return common.topics().trusted(common.domains());
    }

    /** Names of the topics that it writes to: the schemas of their records are registered before it starts. */
    Set<String> written(C config, CommonConfig common);

    /**
     * Starts it. What it throws ends the process: configuration errors as {@link ConfigException}, services that cannot be
     * reached as {@link UnreachableException}.
     */
    Running start(C config, Platform platform) throws InterruptedException;

    /** A service at work. Asked from any thread. */
    interface Running extends AutoCloseable {
        /** Why its loop does not come round any more; empty while it does. Makes the process not alive. */
        List<String> stuck();

        /** What keeps it from doing its work right now; empty while it does. Makes the process not ready. */
        List<String> notReady();

        /** Why it ended by itself and never works again; empty while it runs. Ends the process. */
        List<String> ended();

        /** Ends within seconds what can end, and leaves the rest as a kill would. */
        @Override
        void close();
    }
}
