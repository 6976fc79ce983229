package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.AlignedContainer;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GpuWish;
import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.NumaShare;
import dev.muster.scheduler.core.model.PreferredTerm;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.model.Toleration;
import dev.muster.schemas.common.ContainerKind;
import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.common.WeightedNodeTerm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** What a pod needs, and the parts that other facts share: amounts, labels, expressions. Lists that are sets come out sorted. */
final class RequirementCodec {
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");
    private static final List<String> TOLERATION_OPERATORS = List.of("Equal", "Exists");
    static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final List<String> EFFECTS_OR_ALL = List.of("", "NoSchedule", "PreferNoSchedule", "NoExecute");

    private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");

    private RequirementCodec() {}

    static Requirement read(PodRequirement from) {
        return new Requirement(
                amounts("requests", from.getRequests()).stream()
                        .map(RequirementCodec::usable)
                        .filter(amount -> amount.amount() > 0)
                        .toList(),
                Checks.between("gpuFractionMilli", from.getGpuFractionMilli(), 0, 999),
                labels("nodeSelector", from.getNodeSelector()),
                Checks.each("requiredNodeTerms", from.getRequiredNodeTerms(), Checks.ENTRIES, RequirementCodec::term),
                Checks.each(
                        "preferredNodeTerms",
                        from.getPreferredNodeTerms(),
                        Checks.ENTRIES,
                        RequirementCodec::preferred),
                Checks.each("tolerations", from.getTolerations(), Checks.ENTRIES, RequirementCodec::toleration),
                Checks.nameOrEmpty("cluster", from.getCluster()),
                PodRulesCodec.read(from),
                hostPorts(from.getHostPorts()),
                TopologyCodec.readPodSet(from.getTopology()),
                Checks.each("claims", from.getClaims(), Checks.ENTRIES, claim -> Checks.id("claim", claim)),
                Checks.each(
                        "alignedContainers",
                        from.getAlignedContainers(),
                        Checks.ENTRIES,
                        RequirementCodec::alignedContainer),
                new GpuWish(
                        from.getGpusLinked(),
                        Checks.between("gpuMemoryMib", from.getGpuMemoryMib(), 0, Integer.MAX_VALUE)),
                Checks.text("strategy", from.getStrategy()));
    }

    static PodRequirement write(Requirement from) {
        return new PodRequirement(
                writeAmounts(from.requests()),
                from.gpuFractionMilli(),
                writeLabels(from.nodeSelector()),
                Checks.map(from.requiredTerms(), RequirementCodec::writeTerm),
                Checks.map(from.preferredTerms(), term -> new WeightedNodeTerm(term.weight(), writeTerm(term.term()))),
                writeTolerations(from.tolerations()),
                from.cluster(),
                Checks.map(from.pods().affinity(), PodRulesCodec::writeTerm),
                Checks.map(from.pods().antiAffinity(), PodRulesCodec::writeTerm),
                Checks.map(from.pods().spread(), PodRulesCodec::writeSpread),
                Checks.map(from.pods().preferred(), PodRulesCodec::writePreferred),
                Checks.map(
                        from.hostPorts(),
                        port -> new dev.muster.schemas.common.HostPort(port.port(), port.protocol(), port.ip())),
                TopologyCodec.writePodSet(from.topology()),
                from.claims(),
                Checks.map(
                        from.alignedContainers(),
                        container -> new dev.muster.schemas.common.AlignedContainer(
                                ContainerKind.valueOf(container.kind().name()), writeAmounts(container.requests()))),
                from.gpusLinked(),
                from.gpuMemoryMib(),
                from.strategy());
    }

    private static List<HostPort> hostPorts(List<dev.muster.schemas.common.HostPort> from) {
        List<HostPort> ports = Checks.each(
                "hostPorts",
                from,
                Checks.ENTRIES,
                port -> new HostPort(
                        Checks.between("port", port.getPort(), 1, 65_535),
                        Checks.oneOf("protocol", port.getProtocol(), PROTOCOLS),
                        Checks.name("ip", port.getIp())));
        return ports.size() < 2 ? ports : List.copyOf(new TreeSet<>(ports));
    }

    private static AlignedContainer alignedContainer(dev.muster.schemas.common.AlignedContainer from) {
        return new AlignedContainer(
                AlignedContainer.Kind.valueOf(from.getKind().name()),
                amounts("requests", from.getRequests()).stream()
                        .map(RequirementCodec::usable)
                        .filter(amount -> amount.amount() > 0)
                        .toList());
    }

    static NumaPlacement numa(String field, List<dev.muster.schemas.common.NumaShare> from) {
        List<NumaShare> shares = Checks.each(
                field,
                from,
                Checks.ENTRIES,
                share -> new NumaShare(
                        Checks.name("zone", share.getZone()),
                        Checks.name("resource", share.getResource()),
                        Checks.between("amount", share.getAmount(), 1, Checks.AMOUNT)));
        return shares.isEmpty() ? NumaPlacement.NONE : new NumaPlacement(shares);
    }

    static List<dev.muster.schemas.common.NumaShare> writeNuma(List<NumaShare> from) {
        return Checks.map(
                from, share -> new dev.muster.schemas.common.NumaShare(share.zone(), share.resource(), share.amount()));
    }

    /** Absurd requests wait for a node that is as absurd; they must not overflow the sums of those that have one. */
    private static Amount usable(Amount request) {
        long most = request.resource().equals(ResourceNames.GPU) ? Checks.POD_GPUS : Checks.POD_AMOUNT;
        return new Amount(request.resource(), Math.min(request.amount(), most));
    }

    static List<Amount> amounts(String field, List<Quantity> from) {
        List<Amount> amounts = Checks.each(
                field,
                from,
                Checks.ENTRIES,
                quantity -> new Amount(
                        Checks.name("resource", quantity.getResource()),
                        Math.min(Checks.between("amount", quantity.getAmount(), 0, Long.MAX_VALUE), Checks.AMOUNT)));
        return sortedSet(field, amounts, Amount::resource);
    }

    static List<Quantity> writeAmounts(List<Amount> from) {
        return Checks.map(from, amount -> new Quantity(amount.resource(), amount.amount()));
    }

    static List<Label> labels(String field, List<KeyValue> from) {
        List<Label> labels = Checks.each(
                field,
                from,
                Checks.ENTRIES,
                entry -> new Label(Checks.name("key", entry.getKey()), Checks.text("value", entry.getValue())));
        return sortedSet(field, labels, Label::key);
    }

    static List<KeyValue> writeLabels(List<Label> from) {
        return Checks.map(from, label -> new KeyValue(label.key(), label.value()));
    }

    static SortedMap<String, String> byKey(String field, List<KeyValue> from) {
        SortedMap<String, String> byKey = new TreeMap<>();
        labels(field, from).forEach(label -> byKey.put(label.key(), label.value()));
        return byKey;
    }

    static List<KeyValue> writeByKey(SortedMap<String, String> from) {
        List<KeyValue> labels = new ArrayList<>(from.size());
        from.forEach((key, value) -> labels.add(new KeyValue(key, value)));
        return labels;
    }

    static List<NodeExpression> expressions(String field, List<MatchExpression> from) {
        return Checks.each(
                field,
                from,
                Checks.ENTRIES,
                expression -> new NodeExpression(
                        Checks.name("key", expression.getKey()),
                        Checks.oneOf("operator", expression.getOperator(), OPERATORS),
                        Checks.each(
                                "values", expression.getValues(), Checks.ENTRIES, value -> Checks.text("value", value)),
                        expression.getOnField()));
    }

    static List<MatchExpression> writeExpressions(List<NodeExpression> from) {
        return Checks.map(from, e -> new MatchExpression(e.key(), e.operator(), e.values(), e.onField()));
    }

    static NodeTerm term(dev.muster.schemas.common.NodeTerm from) {
        return new NodeTerm(expressions("expressions", from.getExpressions()));
    }

    static dev.muster.schemas.common.NodeTerm writeTerm(NodeTerm from) {
        return new dev.muster.schemas.common.NodeTerm(writeExpressions(from.expressions()));
    }

    private static PreferredTerm preferred(WeightedNodeTerm from) {
        return new PreferredTerm(
                Checks.between("weight", from.getWeight(), 1, 100),
                Checks.part("term", from.getTerm(), RequirementCodec::term));
    }

    static List<dev.muster.schemas.common.Toleration> writeTolerations(List<Toleration> from) {
        return Checks.map(
                from, t -> new dev.muster.schemas.common.Toleration(t.key(), t.operator(), t.value(), t.effect()));
    }

    static Toleration toleration(dev.muster.schemas.common.Toleration from) {
        return new Toleration(
                Checks.nameOrEmpty("key", from.getKey()),
                Checks.oneOf("operator", from.getOperator(), TOLERATION_OPERATORS),
                Checks.text("value", from.getValue()),
                Checks.oneOf("effect", from.getEffect(), EFFECTS_OR_ALL));
    }

    private static <T> List<T> sortedSet(String field, List<T> items, Function<T, String> key) {
        boolean rising = true;
        for (int i = 1; i < items.size(); i++) {
            rising &= key.apply(items.get(i - 1)).compareTo(key.apply(items.get(i))) < 0;
        }
        if (rising) {
            return items;
        }
        List<T> sorted = items.stream().sorted(Comparator.comparing(key)).toList();
        for (int i = 1; i < sorted.size(); i++) {
            String one = key.apply(sorted.get(i));
            if (one.equals(key.apply(sorted.get(i - 1)))) {
                throw InvalidFieldException.saying(
                        field, "has " + Checks.printable(one) + " twice, expected each once");
            }
        }
        return sorted;
    }
}
