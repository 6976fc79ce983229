package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What somebody does to the cluster from outside while the demo runs. */
interface ClusterWriter {
    /** Creates an object, or replaces the one of that name. */
    void apply(ObjectNode object);

    /** The containers of a pod end well, once it runs. */
    void finish(String namespace, String pod);
}
