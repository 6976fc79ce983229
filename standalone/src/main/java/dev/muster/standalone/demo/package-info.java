/** {@code muster demo}: a workload, all parts of Muster in one process, and somebody who watches and counts. */
package dev.muster.standalone.demo;
