/** Muster as separate processes that are killed, held and lied to, and what must be true of it all the same. */
package dev.muster.standalone.kill;
