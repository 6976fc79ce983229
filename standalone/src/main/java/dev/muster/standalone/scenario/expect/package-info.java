/** What a scenario expects, and whether it held. */
package dev.muster.standalone.scenario.expect;
