/** Where records go: names of topics, their partitions and settings, record keys, and making sure that a cluster has them so. */
package dev.muster.schemas.topic;
