package dev.muster.standalone.scenario;

import dev.muster.scheduler.streams.FairSharingCodec;
import dev.muster.scheduler.streams.PreemptionCodec;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.event.HealthPolicySpec;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.event.QueueStrategy;
import dev.muster.schemas.event.RuleWeight;
import dev.muster.schemas.event.SchedulerPolicySpec;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.topic.Keys;
import dev.muster.standalone.scenario.Scenario.Settings;
import dev.muster.standalone.virtual.VirtualStack;

/** {@code spec.config} as the operator's record: settings reach the scheduler as an event, so that a replay knows them. */
final class SettingsRecord {
    private static final String KIND = "SchedulerPolicy";
    private static final String NAME = "default";

    private SettingsRecord() {}

    static void send(Settings settings, String domain, VirtualStack stack, VirtualStack.Options options) {
        if (settings.equals(Settings.DEFAULT)) {
            return;
        }
        PolicyEvent event = PolicyEvent.newBuilder()
                .setOrigin(Origin.newBuilder()
                        .setDomain(domain)
                        .setCluster("")
                        .setEpoch(1)
                        .setNamespace("")
                        .setName(NAME)
                        .setUid("")
                        .setResourceVersion(1)
                        .setChange(Change.UPSERT)
                        .build())
                .setKind(KIND)
                .setSpec(SchedulerPolicySpec.newBuilder()
                        .setStrategy(settings.strategy())
                        .setBindTimeoutMillis(settings.bindTimeoutMillis())
                        .setBindBackoffMillis(settings.backoffMillis())
                        .setBindBackoffMaxMillis(settings.backoffMaxMillis())
                        .setHealth(new HealthPolicySpec(
                                settings.health().ttlMillis(),
                                settings.health().flaps(),
                                settings.health().quietMillis(),
                                settings.health().eviction().enabled(),
                                settings.health().eviction().afterMillis(),
                                settings.health().eviction().nodeLostMillis(),
                                settings.health().eviction().slotsHeldMillis(),
                                settings.health().eviction().mostPercent()))
                        .setQueueStrategies(settings.queueStrategies().entrySet().stream()
                                .map(entry -> new QueueStrategy(entry.getKey(), entry.getValue()))
                                .toList())
                        .setWeights(settings.weights().entrySet().stream()
                                .map(entry -> new RuleWeight(entry.getKey(), entry.getValue()))
                                .toList())
                        .setVolumeBindTimeoutMillis(settings.volumeBindTimeoutMillis())
                        .setPreemption(PreemptionCodec.write(settings.preemption()))
                        .setFairSharing(FairSharingCodec.write(settings.fairSharing()))
                        .build())
                .build();
        String topic = options.topics().policies();
        stack.scheduler()
                .event(
                        topic,
                        Keys.policy(domain, KIND, "", "", NAME),
                        new AvroSerde<>(options.registry(), PolicyEvent.class)
                                .serializer()
                                .serialize(topic, event));
    }
}
