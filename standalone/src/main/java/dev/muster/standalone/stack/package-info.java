/** All parts of Muster wired together in one process. */
package dev.muster.standalone.stack;
