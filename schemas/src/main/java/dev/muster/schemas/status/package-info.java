/** What a workload's status is called elsewhere: conditions of Kueue, phases and conditions of Volcano. */
package dev.muster.schemas.status;
