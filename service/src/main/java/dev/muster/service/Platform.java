package dev.muster.service;

import dev.muster.schemas.serde.RegistryClient;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What a service works with. It closes none of it.
 *
 * @param common what every service is told
 * @param registry the schema registry, cached
 * @param meters where it counts
 */
public record Platform(CommonConfig common, RegistryClient registry, MeterRegistry meters) {}
