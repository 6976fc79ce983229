package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.DeviceGroup;
import dev.muster.scheduler.core.model.HealthEpisode;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.schemas.event.DeviceLink;
import dev.muster.schemas.event.HealthScope;
import dev.muster.schemas.event.HealthSeverity;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.NumaSpec;
import dev.muster.schemas.event.NumaZone;
import dev.muster.schemas.state.HealthEpisodeRow;
import java.util.List;

/** What is known of nodes: their facts, GPU health and NUMA layout. */
final class NodeCodec {
    private static final List<String> NUMA_POLICIES = List.of("none", "best-effort", "restricted", "single-numa-node");
    private static final List<String> NUMA_SCOPES = List.of("container", "pod");

    private NodeCodec() {}

    static NodeFacts read(NodeSpec from) {
        return new NodeFacts(
                RequirementCodec.byKey("labels", from.getLabels()),
                Checks.each("taints", from.getTaints(), Checks.ENTRIES, NodeCodec::taint),
                from.getCordoned(),
                from.getReady(),
                RequirementCodec.amounts("allocatable", from.getAllocatable()),
                Checks.between("gpuCapacity", from.getGpuCapacity(), 0, Integer.MAX_VALUE),
                Checks.each("deviceGroups", from.getDeviceGroups(), Checks.ENTRIES, NodeCodec::deviceGroup));
    }

    private static DeviceGroup deviceGroup(dev.muster.schemas.event.DeviceGroup from) {
        return new DeviceGroup(
                DeviceGroup.Link.valueOf(from.getLink().name()), Checks.devices("devices", from.getDevices()));
    }

    static NodeSpec write(NodeFacts from) {
        return new NodeSpec(
                RequirementCodec.writeByKey(from.labels()),
                writeTaints(from.taints()),
                from.cordoned(),
                from.ready(),
                RequirementCodec.writeAmounts(from.allocatable()),
                from.gpuCapacity(),
                Checks.map(
                        from.deviceGroups(),
                        group -> new dev.muster.schemas.event.DeviceGroup(
                                DeviceLink.valueOf(group.link().name()), group.devices())));
    }

    static List<HealthSignal> readSignals(List<dev.muster.schemas.event.HealthSignal> from) {
        return Checks.each("signals", from, Checks.ENTRIES, NodeCodec::signal);
    }

    static List<dev.muster.schemas.event.HealthSignal> writeSignals(List<HealthSignal> from) {
        return Checks.map(from, NodeCodec::writeSignal);
    }

    private static dev.muster.schemas.event.HealthSignal writeSignal(HealthSignal signal) {
        return new dev.muster.schemas.event.HealthSignal(
                HealthScope.valueOf(signal.scope().name()),
                signal.device(),
                signal.kind(),
                HealthSeverity.valueOf(signal.severity().name()),
                signal.value(),
                signal.source(),
                signal.peer(),
                signal.ttlMillis());
    }

    static List<HealthEpisodeRow> writeEpisodes(List<HealthEpisode> from) {
        return Checks.map(
                from,
                episode -> new HealthEpisodeRow(
                        writeSignal(episode.signal()),
                        episode.sinceMillis(),
                        episode.raisedMillis(),
                        episode.raises(),
                        episode.offMillis(),
                        episode.steps()));
    }

    /** Rows of engines up to version 4 say what is on, not since when. */
    static List<HealthEpisode> readEpisodes(
            List<HealthEpisodeRow> from, List<dev.muster.schemas.event.HealthSignal> signals) {
        return from.isEmpty()
                ? Checks.map(readSignals(signals), signal -> HealthEpisode.begin(signal, 0))
                : Checks.map(
                        from,
                        row -> new HealthEpisode(
                                Checks.part("signal", row.getSignal(), NodeCodec::signal),
                                row.getSinceMillis(),
                                row.getRaisedMillis(),
                                row.getRaises(),
                                row.getOffMillis(),
                                row.getSteps()));
    }

    static NumaFacts readNuma(NumaSpec from) {
        return new NumaFacts(
                Checks.oneOf("policy", from.getPolicy(), NUMA_POLICIES),
                Checks.oneOf("scope", from.getScope(), NUMA_SCOPES),
                Checks.each("zones", from.getZones(), Checks.DEVICES, NodeCodec::zone));
    }

    static NumaSpec writeNuma(NumaFacts from) {
        return new NumaSpec(
                from.policy(),
                from.scope(),
                Checks.map(
                        from.zones(),
                        zone -> new NumaZone(
                                zone.name(),
                                RequirementCodec.writeAmounts(zone.allocatable()),
                                RequirementCodec.writeAmounts(zone.available()),
                                RequirementCodec.writeLabels(zone.costs()),
                                RequirementCodec.writeAmounts(zone.capacity()))));
    }

    static List<dev.muster.schemas.common.Taint> writeTaints(List<Taint> from) {
        return Checks.map(
                from, taint -> new dev.muster.schemas.common.Taint(taint.key(), taint.value(), taint.effect()));
    }

    static Taint taint(dev.muster.schemas.common.Taint from) {
        return new Taint(
                Checks.name("key", from.getKey()),
                Checks.text("value", from.getValue()),
                Checks.oneOf("effect", from.getEffect(), RequirementCodec.EFFECTS));
    }

    private static HealthSignal signal(dev.muster.schemas.event.HealthSignal from) {
        return new HealthSignal(
                HealthSignal.Scope.valueOf(from.getScope().name()),
                Checks.between("device", from.getDevice(), -1, Checks.DEVICES - 1),
                Checks.name("kind", from.getKind()),
                HealthSignal.Severity.valueOf(from.getSeverity().name()),
                Checks.text("value", from.getValue()),
                Checks.text("source", from.getSource()),
                Checks.between("peer", from.getPeer(), -1, Checks.DEVICES - 1),
                Checks.millis("ttlMillis", from.getTtlMillis()));
    }

    private static NumaFacts.Zone zone(NumaZone from) {
        return new NumaFacts.Zone(
                Checks.name("name", from.getName()),
                RequirementCodec.amounts("capacity", from.getCapacity()),
                RequirementCodec.amounts("allocatable", from.getAllocatable()),
                RequirementCodec.amounts("available", from.getAvailable()),
                RequirementCodec.labels("costs", from.getCosts()));
    }
}
