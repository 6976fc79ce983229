/** Readers of public traces. */
package dev.muster.standalone.trace;
