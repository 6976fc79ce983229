/** What an onlooker sees of the clusters, in plain values: no code of the scheduler is used to judge what it did. */
package dev.muster.standalone.scenario.observe;
