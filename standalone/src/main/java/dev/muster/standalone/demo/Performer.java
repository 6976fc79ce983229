package dev.muster.standalone.demo;

/** Plays a {@link Play} in a thread of its own. */
final class Performer {
    private final Thread thread;
    private volatile RuntimeException failure;

    private Performer(Play play, ClusterWriter cluster, Scoreboard scoreboard) {
        this.thread = new Thread(() -> perform(play, cluster, scoreboard), "demo-play");
        thread.setDaemon(true);
    }

    static Performer start(Play play, ClusterWriter cluster, Scoreboard scoreboard) {
        Performer performer = new Performer(play, cluster, scoreboard);
        performer.thread.start();
        return performer;
    }

    /** Whether everything was applied. */
    boolean done() {
        return !thread.isAlive();
    }

    /** Throws what ended the play, if something did. */
    void check() {
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join(5_000);
    }

    private void perform(Play play, ClusterWriter cluster, Scoreboard scoreboard) {
        try {
            play.perform(cluster, scoreboard);
        } catch (InterruptedException e) {
            // stop() was called
        } catch (RuntimeException e) {
            failure = e;
        }
    }
}
