/**
 * How much of a GPU cluster a placement policy can hand out: the experiment of Weng et al., 'Beware of Fragmentation: Scheduling
 * GPU-Sharing Workloads with Fragmentation Gradient Descent' (USENIX ATC 2023) on the openb trace, with the paper's policies
 * beside Muster's own.
 *
 * <p>The paper's policies reckon in floating point, as the paper's program does: they are here to be compared with, and decide
 * nothing anywhere else.
 */
package dev.muster.standalone.openb;
