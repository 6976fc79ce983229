/** The muster command: everything in one process, on simulated or real clusters. */
package dev.muster.standalone;
