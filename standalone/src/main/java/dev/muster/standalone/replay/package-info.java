/** Reads a journal back through the core: the same code, the same entries, and so the same decisions, byte for byte. */
package dev.muster.standalone.replay;
