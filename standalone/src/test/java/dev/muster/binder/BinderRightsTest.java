package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.standalone.services.GrantedRights;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The roles in deploy/kubernetes give a binder exactly the rights for the calls that it makes. */
class BinderRightsTest {
    private static final PodKey KEY = new PodKey("ml", "p-0");
    private static final PodState SEEN =
            new PodState(KEY, "u-0", "42", "", false, false, "", -1, "", "", JobIdentity.NONE, 0);
    private static final ClaimState CLAIM = new ClaimState("ml", "c", "u", "1", "", false, false, false, "");
    private static final String POD = "{\"metadata\":{\"name\":\"p-0\",\"namespace\":\"ml\",\"uid\":\"u\"}}";

    private final Set<String> used = new TreeSet<>();
    private final Set<String> called = new TreeSet<>();
    private final ClusterApi api =
            counted(new Fabric8ClusterApi(this::answer, new KubernetesSerialization(), "muster"));

    private ClusterApi counted(ClusterApi real) {
        return (ClusterApi) Proxy.newProxyInstance(
                ClusterApi.class.getClassLoader(), new Class<?>[] {ClusterApi.class}, (proxy, method, arguments) -> {
                    called.add(method.toString());
                    return method.invoke(real, arguments);
                });
    }

    private ApiTransport.Answer answer(ApiTransport.Request request) {
        used.add(right(request.method(), request.path()));
        boolean list = request.path().endsWith("?labelSelector=" + Marks.SEAL.replace("/", "%2F"));
        return new ApiTransport.Answer(200, list ? "{\"items\":[]}" : POD, "");
    }

    /** Verb, group and resource of a request, as rules of a role name them. */
    private static String right(String method, String path) {
        List<String> steps = Arrays.stream(path.replaceAll("\\?.*", "").split("/"))
                .filter(step -> !step.isEmpty())
                .toList();
        boolean core = steps.getFirst().equals("api");
        String group = core ? "" : steps.get(1);
        List<String> rest = steps.subList(core ? 2 : 3, steps.size());
        if (rest.getFirst().equals("namespaces") && rest.size() > 2) {
            rest = rest.subList(2, rest.size());
        }
        String resource = rest.getFirst() + (rest.size() > 2 ? "/" + rest.get(2) : "");
        String verb = switch (method) {
            case "GET" -> rest.size() > 1 ? "get" : "list";
            case "POST" -> "create";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> method;
        };
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
    }

    @Test
    void theRolesAllowWhatTheBinderDoesAndNothingElse() {
        api.pod(KEY);
        api.node("n");
        api.bind(SEEN, "n", Map.of());
        api.create(new PodBuilder()
                .withNewMetadata()
                .withName("p-0")
                .withNamespace("ml")
                .endMetadata()
                .build());
        api.annotate(SEEN, Map.of());
        api.evict(KEY, "u");
        api.delete(KEY, "u");
        api.claim("ml", "c");
        api.volume("v");
        api.nodeLabels("n");
        api.selectNode(CLAIM, "n");
        api.giveVolume(new VolumeState("v", "u", "1", "", "", false, List.of()), CLAIM);
        api.seal("d:1:0");
        api.seal("d:1:0", Seal.BOUND);
        api.seals();
        api.deleteSeal("s");
        api.markUnschedulable(KEY, "u", "", "");
        api.createEvent(new EventBuilder()
                .withNewMetadata()
                .withNamespace("ml")
                .endMetadata()
                .build());
        api.podGroupStatus("ml", "g");
        api.setPodGroupStatus("ml", "g", new PodGroupStatus("Running", List.of()));
        assertThat(called).as("every call that there is").hasSameSizeAs(ClusterApi.class.getDeclaredMethods());
        // Its informers (ClusterInformers) list and watch these two.
        used.addAll(List.of("list pods", "watch pods", "list nodes", "watch nodes"));

        assertThat(GrantedRights.in("binder.yaml")).isEqualTo(used);
    }
}
