/** Scenario files and manifests: from bytes to a {@link dev.muster.standalone.scenario.Scenario}, or one line that says what is wrong. */
package dev.muster.standalone.scenario.read;
