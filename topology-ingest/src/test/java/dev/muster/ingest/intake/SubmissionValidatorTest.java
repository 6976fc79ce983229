package dev.muster.ingest.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.NetworkTopology;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobSpec;
import dev.muster.schemas.job.JobTask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubmissionValidatorTest {

    private static final TenantPolicy POLICY = new TenantPolicy(
            "team-a",
            "main",
            Grant.only("default", "team-a"),
            Grant.only("default", "research"),
            Grant.only("east"),
            100);

    private final SubmissionValidator validator =
            new SubmissionValidator(new PodTemplateReader(IntakeConfig.DEFAULT_MAX_EVENT_BYTES));

    @Test
    void acceptsASimpleJobAndFillsInTheDefaults() {
        var submit = (Validation.Submit) validate(Commands.submit("c-1", "train"));
        assertThat(submit.job().getQueue()).isEqualTo("default");
        assertThat(submit.job().getMinAvailable()).isEqualTo(4);
        var task = submit.job().getTasks().getFirst();
        assertThat(task.getMinAvailable()).isEqualTo(4);
        assertThat(task.getRequirement().getRequests())
                .contains(new Quantity("cpu", 500L), new Quantity("nvidia.com/gpu", 2L))
                .contains(new Quantity("memory", 1L << 30));
        assertThat(submit.templates()).containsOnlyKeys(task.getTemplateHash());
    }

    @Test
    void acceptsEveryAllowedFieldAndWorksOutTheRequirement() {
        var submit = (Validation.Submit) validate(Commands.withTemplate(Commands.FULL_TEMPLATE));
        var requirement = submit.job().getTasks().getFirst().getRequirement();
        assertThat(requirement.getNodeSelector()).hasSize(1);
        assertThat(requirement.getRequiredNodeTerms()).hasSize(1);
        assertThat(requirement.getPreferredNodeTerms()).hasSize(1);
        assertThat(requirement.getTolerations()).hasSize(1);
        assertThat(requirement.getRequests()).contains(new Quantity("nvidia.com/gpu", 8L));
    }

    @Test
    void whatATemplateSaysOfOtherPodsIsAboutItsOwnNamespaceAndItsPodsLabelsGoAlong() {
        var task = ((Validation.Submit) validate(Commands.withTemplate(Commands.FULL_TEMPLATE)))
                .job()
                .getTasks()
                .getFirst();
        var requirement = task.getRequirement();
        assertThat(task.getLabels())
                .extracting(label -> label.getKey())
                .containsExactly("app", "example.com/team", "muster.dev/job", "muster.dev/task");
        assertThat(requirement.getPodAffinity())
                .singleElement()
                .satisfies(term -> assertThat(term.getNamespaces()).containsExactly("default"));
        assertThat(requirement.getPodAntiAffinity()).hasSize(1);
        assertThat(requirement.getPreferredPodTerms())
                .extracting(term -> term.getWeight())
                .containsExactly(5, -5);
        assertThat(requirement.getTopologySpread()).singleElement().satisfies(spread -> {
            assertThat(spread.getNamespace()).isEqualTo("default");
            assertThat(spread.getSelector())
                    .extracting(expression -> expression.getKey())
                    .containsExactly("muster.dev/task", "app");
        });
        assertThat(requirement.getClaims()).containsExactly("default/images");
        // The sidecar runs beside the container: 2 and 1 cores.
        assertThat(requirement.getRequests()).contains(new Quantity("cpu", 3_000L));
    }

    @Test
    void readsTheSharedGpuFraction() {
        var submit = (Validation.Submit) validate(Commands.withTemplate("""
            {"metadata": {"annotations": {"muster.dev/gpu-fraction": "0.25"}},
             "spec": {"containers": [{"name": "a", "image": "b"}]}}
            """));
        assertThat(submit.job().getTasks().getFirst().getRequirement().getGpuFractionMilli())
                .isEqualTo(250);
    }

    @Test
    void tasksWithTheSameTemplateShareItsHashHoweverItIsWritten() {
        String respelled = "{\"spec\":{\"containers\":[{\"image\":\"b\",\"name\":\"a\",\"args\":null}]}}";
        String plain = "{ \"spec\": { \"containers\": [ { \"name\": \"a\", \"image\": \"b\" } ] } }";
        var job = Commands.job(new JobTask("one", 1, -1, respelled), new JobTask("two", 1, -1, plain));
        var submit = (Validation.Submit) validate(new JobCommand("c", "job", JobAction.SUBMIT, job));
        assertThat(submit.templates().values())
                .containsExactly("{\"spec\":{\"containers\":[{\"image\":\"b\",\"name\":\"a\"}]}}");
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal("MissingField", "commandId", c -> c.setCommandId("")),
                refusal("InvalidName", "commandId", c -> c.setCommandId("a b")),
                refusal("InvalidName", "commandId", c -> c.setCommandId("x".repeat(129))),
                refusal("MissingField", "jobId", c -> c.setJobId("")),
                refusal("InvalidName", "jobId", c -> c.setJobId("Train")),
                refusal("InvalidName", "jobId", c -> c.setJobId("../root")),
                refusal("InvalidName", "jobId", c -> c.setJobId("tr\u0430in")),
                refusal("InvalidName", "jobId", c -> c.setJobId("x".repeat(64))),
                refusal("MissingField", "job", c -> c.setJob(null)),
                refusal("FieldNotAllowed", "job", c -> c.setAction(JobAction.CANCEL)),
                job("MissingField", "job.namespace", j -> j.setNamespace("")),
                job("NamespaceNotAllowed", "job.namespace", j -> j.setNamespace("kube-system")),
                job("InvalidName", "job.namespace", j -> j.setNamespace("a/b")),
                job("QueueNotAllowed", "job.queue", j -> j.setQueue("production")),
                job("InvalidName", "job.queue", j -> j.setQueue("../research")),
                job("ClusterNotAllowed", "job.cluster", j -> j.setCluster("west")),
                job("InvalidName", "job.cluster", j -> j.setCluster("EAST")),
                job("PriorityAboveCeiling", "job.priority", j -> j.setPriority(101)),
                job("PriorityAboveCeiling", "job.priority", j -> j.setPriority(Integer.MAX_VALUE)),
                job("OutOfRange", "job.priority", j -> j.setPriority(Integer.MIN_VALUE)),
                job("OutOfRange", "job.networkTopology.highestTier", j -> j.setNetworkTopology(network(-2, ""))),
                job(
                        "InvalidName",
                        "job.networkTopology.highestTierName",
                        j -> j.setNetworkTopology(network(-1, "a b"))),
                job("Duplicate", "job.networkTopology.highestTierName", j -> j.setNetworkTopology(network(1, "rack"))),
                job("OutOfRange", "job.minAvailable", j -> j.setMinAvailable(0)),
                job("OutOfRange", "job.minAvailable", j -> j.setMinAvailable(-2)),
                job("OutOfRange", "job.minAvailable", j -> j.setMinAvailable(3)),
                job("OutOfRange", "job.minAvailable", j -> j.setMinAvailable(5)),
                job("OutOfRange", "job.tasks", j -> j.setTasks(List.of())),
                job("OutOfRange", "job.tasks", j -> j.setTasks(tasks(65))),
                job(
                        "Duplicate",
                        "job.tasks[1].name",
                        j -> j.setTasks(List.of(Commands.task("a", 1), Commands.task("a", 1)))),
                job(
                        "OutOfRange",
                        "job.tasks[1].replicas",
                        j -> j.setTasks(List.of(Commands.task("a", 1), Commands.task("b", 10_000)))),
                task("InvalidName", "job.tasks[0].name", t -> t.setName("-a")),
                task("OutOfRange", "job.tasks[0].replicas", t -> t.setReplicas(0)),
                task("OutOfRange", "job.tasks[0].replicas", t -> t.setReplicas(-1)),
                task("OutOfRange", "job.tasks[0].replicas", t -> t.setReplicas(10_001)),
                task("OutOfRange", "job.tasks[0].minAvailable", t -> t.setMinAvailable(-2)),
                task("OutOfRange", "job.tasks[0].minAvailable", t -> t.setMinAvailable(5)),
                task("OutOfRange", "job.minAvailable", t -> t.setMinAvailable(0)));
    }

    @ParameterizedTest(name = "{0} at {1}")
    @MethodSource("refusals")
    void refusesNamingTheFieldAndTheReason(String reason, String field, Consumer<JobCommand> spoil) {
        JobCommand command = Commands.submit("c-1", "train");
        spoil.accept(command);
        assertRefused(validate(command), reason, field);
    }

    @Test
    void takesJobsAtTheLimits() {
        JobCommand command = Commands.submit("x".repeat(128), "train");
        command.getJob().setTasks(tasks(64));
        command.getJob().setPriority(100);
        command.getJob().setCluster("east");
        assertThat(validate(command)).isInstanceOf(Validation.Submit.class);

        command.getJob().setTasks(List.of(new JobTask("worker", 10_000, 1, Commands.TEMPLATE)));
        command.getJob().setMinAvailable(10_000);
        assertThat(validate(command)).isInstanceOf(Validation.Submit.class);
    }

    @Test
    void leavesRoomForTheLongestPodName() {
        JobCommand fits = Commands.submit("c", "j".repeat(54));
        fits.getJob().setTasks(List.of(Commands.task("wwww", 101)));
        assertThat(validate(fits)).isInstanceOf(Validation.Submit.class);

        JobCommand tooLong = Commands.submit("c", "j".repeat(55));
        tooLong.getJob().setTasks(List.of(Commands.task("wwww", 101)));
        assertRefused(validate(tooLong), "OutOfRange", "job.tasks[0].name");
    }

    @ParameterizedTest(name = "{0} at {1}: {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "MalformedTemplate|''|{",
                "MalformedTemplate|''|{\"spec\":{}} {}",
                "MalformedTemplate|''|{\"spec\":{\"containers\":[],\"containers\":[]}}",
                "MalformedTemplate|''|{\"spec\":NaN}",
                "MalformedTemplate|''|{\"spec\":1e9999999999}",
                "MalformedTemplate|''|{/* */}",
                "MalformedTemplate|''|{'spec':{}}",
                "InvalidValue|''|[]",
                "InvalidValue|''|\"spec\"",
                "MissingField|.spec|{}",
                "MissingField|.spec|{\"spec\":null}",
                "InvalidValue|.spec|{\"spec\":1}",
                "FieldNotAllowed|.Spec|{\"Spec\":{}}",
                "MissingField|.spec.containers|{\"spec\":{}}",
                "OutOfRange|.spec.containers|{\"spec\":{\"containers\":[]}}",
                "InvalidValue|.spec.containers[0]|{\"spec\":{\"containers\":[null]}}",
                "MissingField|.spec.containers[0].image|{\"spec\":{\"containers\":[{\"name\":\"a\"}]}}"
            })
    void refusesTemplatesThatAreNotOneStrictObject(String reason, String field, String template) {
        String path = field.equals("''") ? "" : field;
        assertRefused(validate(Commands.withTemplate(template)), reason, "job.tasks[0].podTemplate" + path);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "FieldNotAllowed|spec.hostNetwork|`,\"hostNetwork\":true`",
                "FieldNotAllowed|spec.nodeName|`,\"nodeName\":\"node-1\"`",
                "FieldNotAllowed|spec.serviceAccountName|`,\"serviceAccountName\":\"admin\"`",
                "FieldNotAllowed|spec.schedulerName|`,\"schedulerName\":\"other\"`",
                "FieldNotAllowed|spec.priorityClassName|`,\"priorityClassName\":\"system-node-critical\"`",
                "FieldNotAllowed|spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaces|`,\"affinity\":{\"podAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":[{\"topologyKey\":\"z\",\"labelSelector\":{},\"namespaces\":[\"kube-system\"]}]}}`",
                "MissingField|spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector|`,\"affinity\":{\"podAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":[{\"topologyKey\":\"z\"}]}}`",
                "Duplicate|spec.initContainers[0].name|`,\"initContainers\":[{\"name\":\"a\",\"image\":\"b\"}]`",
                "ValueNotAllowed|spec.initContainers[0].restartPolicy|`,\"initContainers\":[{\"name\":\"i\",\"image\":\"b\",\"restartPolicy\":\"Never\"}]`",
                "OutOfRange|spec.topologySpreadConstraints[0].maxSkew|`,\"topologySpreadConstraints\":[{\"topologyKey\":\"z\",\"whenUnsatisfiable\":\"DoNotSchedule\",\"maxSkew\":0}]`",
                "FieldNotAllowed|spec.volumes[0].hostPath|`,\"volumes\":[{\"name\":\"v\",\"hostPath\":{\"path\":\"/\"}}]`",
                "FieldNotAllowed|spec.volumes[0].secret|`,\"volumes\":[{\"name\":\"v\",\"secret\":{\"secretName\":\"s\"}}]`",
                "InvalidValue|spec.volumes[0]|`,\"volumes\":[{\"name\":\"v\"}]`",
                "InvalidValue|spec.volumes[0]|`,\"volumes\":[{\"name\":\"v\",\"emptyDir\":{},\"configMap\":{\"name\":\"c\"}}]`",
                "Duplicate|spec.volumes[1].name|`,\"volumes\":[{\"name\":\"v\",\"emptyDir\":{}},{\"name\":\"v\",\"emptyDir\":{}}]`",
                "ValueNotAllowed|spec.tolerations[0].key|`,\"tolerations\":[{\"key\":\"node-role.kubernetes.io/control-plane\",\"operator\":\"Exists\"}]`",
                "MissingField|spec.tolerations[0].key|`,\"tolerations\":[{\"operator\":\"Exists\"}]`",
                "InvalidValue|spec.tolerations[0].key|`,\"tolerations\":[{\"key\":\"\",\"operator\":\"Exists\"}]`",
                "ValueNotAllowed|spec.restartPolicy|`,\"restartPolicy\":\"Sometimes\"`",
                "OutOfRange|spec.activeDeadlineSeconds|`,\"activeDeadlineSeconds\":0`",
                "OutOfRange|spec.activeDeadlineSeconds|`,\"activeDeadlineSeconds\":99999999999999999999`",
                "InvalidValue|spec.activeDeadlineSeconds|`,\"activeDeadlineSeconds\":1.5`",
                "ValueNotAllowed|spec.securityContext.runAsNonRoot|`,\"securityContext\":{\"runAsNonRoot\":false}`",
                "OutOfRange|spec.securityContext.runAsUser|`,\"securityContext\":{\"runAsUser\":0}`",
                "FieldNotAllowed|spec.securityContext.sysctls|`,\"securityContext\":{\"sysctls\":[]}`",
                "InvalidValue|spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values|`,\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Gt\",\"values\":[\"x\"]}]}]}}}`"
            })
    void refusesWhatAPodMayNotHave(String reason, String field, String more) {
        String template = "{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]" + more + "}}";
        assertRefused(validate(Commands.withTemplate(template)), reason, "job.tasks[0].podTemplate." + field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ValueNotAllowed|securityContext.privileged|`,\"securityContext\":{\"privileged\":true}`",
                "ValueNotAllowed|securityContext.allowPrivilegeEscalation|`,\"securityContext\":{\"allowPrivilegeEscalation\":true}`",
                "FieldNotAllowed|securityContext.capabilities.add|`,\"securityContext\":{\"capabilities\":{\"add\":[\"SYS_ADMIN\"]}}`",
                "FieldNotAllowed|securityContext.procMount|`,\"securityContext\":{\"procMount\":\"Unmasked\"}`",
                "ValueNotAllowed|securityContext.seccompProfile.type|`,\"securityContext\":{\"seccompProfile\":{\"type\":\"Unconfined\"}}`",
                "FieldNotAllowed|ports[0].hostPort|`,\"ports\":[{\"containerPort\":1,\"hostPort\":1}]`",
                "OutOfRange|ports[0].containerPort|`,\"ports\":[{\"containerPort\":0}]`",
                "InvalidValue|volumeMounts[0].name|`,\"volumeMounts\":[{\"name\":\"v\",\"mountPath\":\"/v\"}]`",
                "InvalidValue|volumeMounts[0].mountPath|`,\"volumeMounts\":[{\"name\":\"v\",\"mountPath\":\"/a/..\"}]`",
                "InvalidValue|volumeMounts[0].mountPath|`,\"volumeMounts\":[{\"name\":\"v\",\"mountPath\":\"v\"}]`",
                "InvalidValue|volumeMounts[0].subPath|`,\"volumeMounts\":[{\"name\":\"v\",\"mountPath\":\"/v\",\"subPath\":\"../x\"}]`",
                "FieldNotAllowed|env[0].valueFrom.secretKeyRef|`,\"env\":[{\"name\":\"A\",\"valueFrom\":{\"secretKeyRef\":{}}}]`",
                "InvalidValue|env[0]|`,\"env\":[{\"name\":\"A\",\"value\":\"b\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.name\"}}}]`",
                "InvalidValue|env[0].name|`,\"env\":[{\"name\":\"A=B\"}]`",
                "InvalidValue|env[0].valueFrom.fieldRef.fieldPath|`,\"env\":[{\"name\":\"A\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"spec.serviceAccountName\"}}}]`",
                "InvalidValue|resources.requests[cpu]|`,\"resources\":{\"requests\":{\"cpu\":\"-1\"}}`",
                "InvalidValue|resources.requests[cpu]|`,\"resources\":{\"requests\":{\"cpu\":\"1e999999999\"}}`",
                "InvalidValue|resources.requests[cpu]|`,\"resources\":{\"requests\":{\"cpu\":\"NaN\"}}`",
                "InvalidValue|resources.requests[cpu]|`,\"resources\":{\"requests\":{\"cpu\":true}}`",
                "InvalidValue|resources.requests[memory]|`,\"resources\":{\"requests\":{\"memory\":9223372036854775808}}`",
                "InvalidName|resources.requests[gpu]|`,\"resources\":{\"requests\":{\"gpu\":1}}`",
                "InvalidName|resources.requests[pods]|`,\"resources\":{\"requests\":{\"pods\":1}}`",
                "OutOfRange|resources.requests[cpu]|`,\"resources\":{\"requests\":{\"cpu\":2},\"limits\":{\"cpu\":\"1999m\"}}`",
                "OutOfRange|resources.requests[x.y/gpu]|`,\"resources\":{\"requests\":{\"x.y/gpu\":1},\"limits\":{\"x.y/gpu\":2}}`",
                "MissingField|resources.requests[x.y/gpu]|`,\"resources\":{\"requests\":{\"x.y/gpu\":1}}`",
                "InvalidValue|resources.limits[x.y/gpu]|`,\"resources\":{\"limits\":{\"x.y/gpu\":\"500m\"}}`",
                "FieldNotAllowed|resources.claims|`,\"resources\":{\"claims\":[]}`"
            })
    void refusesWhatAContainerMayNotHave(String reason, String field, String more) {
        String template = "{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"" + more + "}]}}";
        assertRefused(
                validate(Commands.withTemplate(template)),
                reason,
                "job.tasks[0].podTemplate.spec.containers[0]." + field);
    }

    @Test
    void refusesAmountsThatWouldNotAddUpOverTheWholeJob() {
        String template = "{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\","
                + "\"resources\":{\"requests\":{\"memory\":\"257Ti\"}}}]}}";
        assertRefused(validate(Commands.withTemplate(template)), "OutOfRange", "job.tasks[0].podTemplate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes.io/x",
                "app.kubernetes.io/name",
                "scheduling.k8s.io/group-name",
                "scheduling.x-k8s.io/pod-group",
                "pod-group.scheduling.sigs.k8s.io",
                "volcano.sh/queue-name",
                "scheduling.volcano.sh/x",
                "muster.dev/job",
                "muster.dev/tenant",
                "muster.dev/decision",
                "x.muster.dev/y"
            })
    void refusesLabelsAndAnnotationsThatMeanSomethingToOthers(String key) {
        for (String kind : List.of("labels", "annotations")) {
            String template = "{\"metadata\":{\"" + kind + "\":{\"" + key
                    + "\":\"v\"}},\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]}}";
            assertRefused(
                    validate(Commands.withTemplate(template)),
                    "FieldNotAllowed",
                    "job.tasks[0].podTemplate.metadata." + kind + "[" + key + "]");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gpu-fraction,0",
        "gpu-fraction,1",
        "gpu-fraction,0.0",
        "gpu-fraction,0.0001",
        "gpu-fraction,-0.5",
        "runtime,''",
        "runtime,ten",
        "fail-after,-1s",
        "exit-code,256",
        "exit-code,-1"
    })
    void refusesOurOwnAnnotationsWithValuesThatMeanNothing(String name, String value) {
        String key = "muster.dev/" + name;
        String template = "{\"metadata\":{\"annotations\":{\"" + key + "\":\"" + value
                + "\"}},\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]}}";
        var refusal = ((Validation.Invalid) validate(Commands.withTemplate(template))).refusal();
        assertThat(refusal.field()).isEqualTo("job.tasks[0].podTemplate.metadata.annotations[" + key + "]");
    }

    @Test
    void refusesNestingBelow64LevelsWithoutDescendingIntoIt() {
        String deep = "{\"spec\":".repeat(10_000) + "1" + "}".repeat(10_000);
        assertRefused(validate(Commands.withTemplate(deep)), "MalformedTemplate", "job.tasks[0].podTemplate");
    }

    @Test
    void messagesAreOneShortLineOfPrintableAsciiWhateverTheTenantWrote() {
        JobCommand command = Commands.submit("c", "\u001b[31m\r\n\u202e" + "${jndi:ldap://x}".repeat(1_000));
        var refusal = ((Validation.Invalid) validate(command)).refusal();
        assertThat(refusal.message()).hasSizeLessThan(400).matches("[ -~]*");

        String key = "\\n\\u202e" + "k".repeat(900);
        var template = ((Validation.Invalid) validate(Commands.withTemplate("{\"" + key + "\":1}"))).refusal();
        assertThat(template.field()).hasSizeLessThan(200).matches("[ -~]*");
    }

    private Validation validate(JobCommand command) {
        return validator.validate(POLICY, command);
    }

    private static void assertRefused(Validation validation, String reason, String field) {
        assertThat(validation).isInstanceOf(Validation.Invalid.class);
        Refusal refusal = ((Validation.Invalid) validation).refusal();
        assertThat(refusal.field()).as(refusal.message()).isEqualTo(field);
        assertThat(refusal.reason().name()).as(refusal.message()).isEqualTo(reason);
        assertThat(refusal.message()).isNotBlank();
    }

    private static List<JobTask> tasks(int count) {
        return new ArrayList<>(IntStream.range(0, count)
                .mapToObj(i -> Commands.task("t" + i, 1))
                .toList());
    }

    private static Arguments refusal(String reason, String field, Consumer<JobCommand> spoil) {
        return Arguments.of(reason, field, spoil);
    }

    private static NetworkTopology network(int highestTier, String name) {
        return new NetworkTopology(true, highestTier, name);
    }

    private static Arguments job(String reason, String field, Consumer<JobSpec> spoil) {
        return refusal(reason, field, c -> spoil.accept(c.getJob()));
    }

    private static Arguments task(String reason, String field, Consumer<JobTask> spoil) {
        return job(reason, field, j -> spoil.accept(j.getTasks().getFirst()));
    }
}
