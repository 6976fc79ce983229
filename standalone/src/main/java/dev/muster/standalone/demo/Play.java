package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What is played on the cluster. */
interface Play {
    /** In a few words, for people. */
    String title();

    /** Nodes, queues and namespaces that are there from the start. */
    List<ObjectNode> cluster();

    /** Whether pods take the time they would take, rather than none. */
    boolean realTime();

    /**
     * Plays until everything was applied or the thread is interrupted.
     *
     * @param scoreboard what has come of it so far
     */
    void perform(ClusterWriter cluster, Scoreboard scoreboard) throws InterruptedException;
}
