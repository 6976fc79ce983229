/** Scenario files: what a cluster looks like, what happens to it, what must hold; read, run on virtual time, judged. */
package dev.muster.standalone.scenario;
