package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Objects that somebody applies together.
 *
 * @param atMillis when, counted from the start of the workload
 * @param objects in the order in which they are applied
 */
record Arrival(long atMillis, List<ObjectNode> objects) {}
