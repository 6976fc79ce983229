package dev.muster.standalone.openb;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.bench.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What {@code muster bench openb} found.
 *
 * @param nodes nodes of the trace
 * @param gpus their GPUs
 * @param runs by name of the scheduler, one for each order of arrival
 */
public record OpenbReport(int nodes, long gpus, Map<String, List<AllocationRun>> runs, Machine machine) {
    private static final int FULL = 100;

    public OpenbReport {
        runs = new LinkedHashMap<>(runs);
    }

    static OpenbReport of(Experiment experiment, Map<String, List<AllocationRun>> runs) {
        long gpus = experiment.trace().nodes().stream()
                .mapToLong(node -> node.gpus())
                .sum();
        return new OpenbReport(experiment.trace().nodes().size(), gpus, runs, Machine.read());
    }

    /** A line per scheduler: its name and the 131 values of its curve, the mean of all orders; empty where none arrived. */
    public String toCsv() {
        StringBuilder csv = new StringBuilder();
        runs.forEach((name, ofOrders) -> csv.append(name)
                .append(',')
                .append(curve(ofOrders).stream().map(OpenbReport::cell).collect(Collectors.joining(",")))
                .append('\n'));
        return csv.toString();
    }

    private static String cell(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.2f", value);
    }

    /** The mean of the orders' curves, point by point. */
    private static List<Double> curve(List<AllocationRun> ofOrders) {
        List<Double> mean = new ArrayList<>();
        for (int x = 0; x <= LoadCurve.MOST; x++) {
            int at = x;
            mean.add(mean(ofOrders, run -> run.curve().get(at)));
        }
        return mean;
    }

    private static double mean(List<AllocationRun> ofOrders, ToDoubleFunction<AllocationRun> value) {
        return LoadCurve.round(ofOrders.stream()
                .mapToDouble(value)
                .filter(number -> !Double.isNaN(number))
                .average()
                .orElse(Double.NaN));
    }

    private static double perSecond(List<AllocationRun> ofOrders, boolean cpu) {
        double seconds = ofOrders.stream()
                .mapToDouble(run -> cpu ? run.cpuSeconds() : run.seconds())
                .sum();
        return ofOrders.stream().mapToLong(AllocationRun::arrivals).sum() / seconds;
    }

    /** For programs; the fields are stable. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("benchmark", "openb").put("nodes", nodes).put("gpus", gpus);
        ArrayNode policies = json.putArray("policies");
        runs.forEach((name, ofOrders) -> {
            ObjectNode policy = policies.addObject().put("name", name);
            putNumber(
                    policy,
                    "allocationAt100Percent",
                    mean(ofOrders, run -> run.curve().get(FULL)));
            putNumber(policy, "fragmentedPercent", mean(ofOrders, AllocationRun::fragmentedPercent));
            putNumber(policy, "fragmentedOfIdlePercent", mean(ofOrders, AllocationRun::fragmentedOfIdlePercent));
            policy.put("decisionsPerSecond", Math.round(perSecond(ofOrders, false)));
            policy.put("decisionsPerCpuSecond", Math.round(perSecond(ofOrders, true)));
            putCurve(policy, curve(ofOrders));
            ArrayNode orders = policy.putArray("orders");
            ofOrders.forEach(run -> putRun(orders.addObject(), run));
        });
        json.set("machine", machine.toJson());
        return json;
    }

    private static void putRun(ObjectNode json, AllocationRun run) {
        json.put("name", run.order()).put("arrivals", run.arrivals()).put("placed", run.placed());
        putNumber(json, "allocationAt100Percent", run.curve().get(FULL));
        putNumber(json, "fragmentedPercent", run.fragmentedPercent());
        putNumber(json, "fragmentedOfIdlePercent", run.fragmentedOfIdlePercent());
        json.put("seconds", run.seconds()).put("cpuSeconds", run.cpuSeconds());
        putCurve(json, run.curve());
    }

    private static void putCurve(ObjectNode json, List<Double> curve) {
        ArrayNode values = json.putArray("curve");
        curve.forEach(value -> {
            if (value.isNaN()) {
                values.addNull();
            } else {
                values.add(value);
            }
        });
    }

    private static void putNumber(ObjectNode json, String field, double value) {
        if (Double.isNaN(value)) {
            json.putNull(field);
        } else {
            json.put(field, value);
        }
    }

    /** For people. */
    public String toText() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-16s%12s%12s%12s%14s%14s%n",
                "POLICY",
                "AT 100 %",
                "FRAGMENTED",
                "OF IDLE",
                "DECISIONS/S",
                "PER CPU S"));
        runs.forEach((name, ofOrders) -> text.append(String.format(
                Locale.ROOT,
                "%-16s%10.2f %%%10.2f %%%10.2f %%%14.0f%14.0f%n",
                name,
                mean(ofOrders, run -> run.curve().get(FULL)),
                mean(ofOrders, AllocationRun::fragmentedPercent),
                mean(ofOrders, AllocationRun::fragmentedOfIdlePercent),
                perSecond(ofOrders, false),
                perSecond(ofOrders, true))));
        AllocationRun first = runs.values().iterator().next().getFirst();
        return text.append(String.format(
                        Locale.ROOT,
                        "%n%d nodes, %d GPUs, %d order(s) of some %d pods. At 100 %%: GPUs allocated when as much has"
                                + " arrived as there is; fragmented:%nidle GPUs in the end that popular pods can't use, of"
                                + " all GPUs and of the idle ones.%nmachine  %s%n",
                        nodes,
                        gpus,
                        runs.values().iterator().next().size(),
                        first.arrivals(),
                        machine))
                .toString();
    }
}
