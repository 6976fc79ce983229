package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.scheduler.core.model.AlignedContainer;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.numa.NumaDemand;
import dev.muster.scheduler.core.numa.TopologyManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two that know nothing of each other: the scheduler's prediction, and the simulated kubelet, which tries all combinations. */
class NumaMachineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> POLICIES = List.of("none", "best-effort", "restricted", "single-numa-node");
    private static final List<String> RESOURCES =
            List.of("cpu", "memory", "hugepages-2Mi", "example.com/nic", "nvidia.com/gpu");
    private static final int PODS = 6;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsForeseenIsWhatTheKubeletDoes(long thousand) {
        for (long seed = thousand * 1000; seed < thousand * 1000 + 1000; seed++) {
            play(seed);
        }
    }

    private static void play(long seed) {
        Random random = new Random(seed);
        int zones = 1 + random.nextInt(4);
        String policy = POLICIES.get(random.nextInt(POLICIES.size()));
        String scope = random.nextBoolean() ? "pod" : "container";
        ObjectNode report = JSON.createObjectNode();
        attribute(report, "topologyManagerPolicy", policy);
        attribute(report, "topologyManagerScope", scope);
        List<NumaFacts.Zone> facts = new ArrayList<>();
        for (int zone = 0; zone < zones; zone++) {
            List<Amount> capacity = new ArrayList<>();
            List<Amount> allocatable = new ArrayList<>();
            List<Amount> available = new ArrayList<>();
            ObjectNode node = report.withArray("zones").addObject();
            node.put("name", "node-" + zone).put("type", "Node");
            for (String resource : RESOURCES) {
                int can = random.nextInt(6);
                int reserved = random.nextInt(8) == 0 ? 1 : 0;
                int free = can - (random.nextInt(3) == 0 ? random.nextInt(can + 1) : 0);
                node.withArray("resources")
                        .addObject()
                        .put("name", resource)
                        .put("capacity", Integer.toString(can + reserved))
                        .put("allocatable", Integer.toString(can))
                        .put("available", Integer.toString(free));
                int unit = resource.equals("cpu") ? 1000 : 1;
                capacity.add(new Amount(resource, (can + reserved) * unit));
                allocatable.add(new Amount(resource, can * unit));
                available.add(new Amount(resource, free * unit));
            }
            facts.add(new NumaFacts.Zone("node-" + zone, capacity, allocatable, available, List.of()));
        }
        NumaMachine machine = new NumaMachine();
        machine.report(report);
        NumaFacts known = new NumaFacts(policy, scope, facts);
        TopologyManager foreseen = TopologyManager.of(known);
        long[] inUse = foreseen.layout().inUse(known);
        long[] free = new long[inUse.length];
        for (int cell = 0; cell < free.length; cell++) {
            free[cell] = foreseen.layout().allocatable(cell) - inUse[cell];
        }
        for (int pod = 0; pod < PODS; pod++) {
            compare("seed " + seed + ", " + policy + ", " + scope, random, machine, foreseen, free, "pod-" + pod);
        }
    }

    private static void compare(
            String where, Random random, NumaMachine machine, TopologyManager foreseen, long[] free, String uid) {
        ObjectNode pod = JSON.createObjectNode();
        pod.putObject("metadata").putObject("annotations").put("muster.dev/decision", "d:1:0");
        List<AlignedContainer> containers = new ArrayList<>();
        for (int init = random.nextInt(3); init > 0; init--) {
            boolean sidecar = random.nextBoolean();
            ObjectNode container = container(
                    pod,
                    "initContainers",
                    random,
                    containers,
                    sidecar ? AlignedContainer.Kind.SIDECAR : AlignedContainer.Kind.INIT);
            if (sidecar) {
                container.put("restartPolicy", "Always");
            }
        }
        for (int main = 1 + random.nextInt(2); main > 0; main--) {
            container(pod, "containers", random, containers, AlignedContainer.Kind.MAIN);
        }
        NumaDemand demand = new NumaDemand(containers, foreseen.layout());
        boolean admitted = demand.isEmpty() || foreseen.admits(demand, free);

        assertThat(machine.admit(uid, pod)).as("%s, %s: %s", where, uid, pod).isEqualTo(admitted);
        if (admitted && !demand.isEmpty()) {
            assertThat(machine.written(uid)).as("%s, %s: %s", where, uid, pod).isEqualTo(written(foreseen));
            for (int cell = 0; cell < free.length; cell++) {
                free[cell] -= foreseen.taken(cell);
            }
        }
    }

    /** A container of a Guaranteed pod. */
    private static ObjectNode container(
            ObjectNode pod, String list, Random random, List<AlignedContainer> containers, AlignedContainer.Kind kind) {
        ObjectNode container = pod.withObject("/spec").withArray(list).addObject();
        ObjectNode limits = container.putObject("resources").putObject("limits");
        ObjectNode requests = container.withObject("/resources").putObject("requests");
        List<Amount> amounts = new ArrayList<>();
        for (String resource : RESOURCES) {
            int asked = resource.equals("cpu") || resource.equals("memory") || random.nextBoolean()
                    ? 1 + random.nextInt(3)
                    : 0;
            if (asked > 0) {
                limits.put(resource, Integer.toString(asked));
                requests.put(resource, Integer.toString(asked));
                amounts.add(new Amount(resource, resource.equals("cpu") ? asked * 1000L : asked));
            }
        }
        containers.add(new AlignedContainer(kind, amounts));
        return container;
    }

    private static void attribute(ObjectNode report, String name, String value) {
        report.withArray("attributes").addObject().put("name", name).put("value", value);
    }

    private static String written(TopologyManager foreseen) {
        Map<String, StringBuilder> byZone = new TreeMap<>();
        foreseen.placement()
                .shares()
                .forEach(share -> byZone.computeIfAbsent(share.zone(), name -> new StringBuilder(name))
                        .append(' ')
                        .append(share.resource())
                        .append('=')
                        .append(share.amount()));
        return String.join("; ", byZone.values());
    }
}
