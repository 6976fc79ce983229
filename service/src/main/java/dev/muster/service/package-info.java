/**
 * What the mains of all services share: configuration from file and environment, health and metrics over HTTP, logs, and
 * how a process starts and stops. Knows the contract and no service.
 */
package dev.muster.service;
