package dev.muster.standalone.demo;

/** Shows how the demo goes while it runs. */
interface Progress extends AutoCloseable {
    /**
     * Shows a moment, if it is time to.
     *
     * @param headline what is going on, in a few words
     */
    void show(String headline, long elapsedMillis, Snapshot snapshot);

    /** Says something once. */
    void say(String line);

    /** Leaves the screen tidy for what is printed next. */
    @Override
    void close();
}
