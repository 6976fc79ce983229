package dev.muster.ingest.intake;

import static dev.muster.ingest.intake.RefusalReason.Duplicate;
import static dev.muster.ingest.intake.RefusalReason.FieldNotAllowed;
import static dev.muster.ingest.intake.RefusalReason.InvalidName;
import static dev.muster.ingest.intake.RefusalReason.InvalidValue;
import static dev.muster.ingest.intake.RefusalReason.ValueNotAllowed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.ingest.intake.Shape.Always;
import dev.muster.ingest.intake.Shape.Amount;
import dev.muster.ingest.intake.Shape.Choice;
import dev.muster.ingest.intake.Shape.Dictionary;
import dev.muster.ingest.intake.Shape.Flag;
import dev.muster.ingest.intake.Shape.Many;
import dev.muster.ingest.intake.Shape.Struct;
import dev.muster.ingest.intake.Shape.Text;
import dev.muster.ingest.intake.Shape.Whole;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The allow-list: every field of core/v1 PodTemplateSpec that a tenant may set, and to what. It follows the Pod
 * Security Standard "restricted", and leaves out whatever names another object's identity (nodeName,
 * serviceAccountName, schedulerName, owners, secrets) or what placement does not honour yet (pod affinity, topology
 * spread): accepting a constraint and then ignoring it would be worse than refusing it.
 */
final class PodTemplateShape {

    private static final int TEXT_MAX = 32 * 1024;
    private static final int IMAGE_MAX = 512;
    private static final int PATH_MAX = 1_024;
    static final int ENTRIES_MAX = 64;
    private static final long SECONDS_MAX = Integer.MAX_VALUE;

    /**
     * Domains whose labels and annotations mean something to Kubernetes, Volcano or Muster: a tenant sets none of
     * them.
     */
    private static final List<String> RESERVED_DOMAINS =
            List.of("kubernetes.io", "k8s.io", "x-k8s.io", "volcano.sh", "muster.dev");

    private static final Shape LABEL = new Text(Names.LABEL_MAX, Names::isDnsLabel, "a DNS label");
    private static final Shape SUBDOMAIN = new Text(Names.SUBDOMAIN_MAX, Names::isDnsSubdomain, "a DNS subdomain");
    static final Shape QUALIFIED =
            new Text(Names.SUBDOMAIN_MAX + 1 + Names.LABEL_MAX, Names::isQualifiedName, "a qualified name");
    static final Shape LABEL_VALUE = new Text(Names.LABEL_MAX, Names::isLabelValue, "a label value");
    private static final Shape ANY_TEXT = new Text(TEXT_MAX, text -> true, "a text");
    private static final Shape PORT = new Whole(1, 65_535);
    private static final Shape ID = new Whole(1, Integer.MAX_VALUE);

    /**
     * Annotations with a meaning that a tenant may set: GPUs, how nodes are scored, a place in the topology, how the pod behaves
     * on a simulated cluster.
     */
    private static final Map<String, Shape> OWN_ANNOTATIONS = Map.ofEntries(
            Map.entry(
                    "muster.dev/gpu-fraction",
                    new Text(8, FieldForms::isGpuFraction, "a fraction of a GPU from \"0.001\" to \"0.999\"")),
            Map.entry(
                    "muster.dev/gpu-link",
                    new Text(9, List.of("required", "preferred")::contains, "\"required\" or \"preferred\"")),
            Map.entry(
                    "muster.dev/strategy",
                    new Text(
                            7,
                            List.of("binpack", "fgd", "mixed", "spread")::contains,
                            "\"binpack\", \"fgd\", \"mixed\" or \"spread\"")),
            Map.entry("muster.dev/balanced-placement", new Text(5, "true"::equals, "\"true\"")),
            Map.entry(
                    "muster.dev/runtime",
                    new Text(32, FieldForms::isDuration, "a duration such as \"90s\" or \"1h30m\"")),
            Map.entry(
                    "muster.dev/fail-after",
                    new Text(32, FieldForms::isDuration, "a duration such as \"90s\" or \"1h30m\"")),
            Map.entry(
                    "muster.dev/exit-code", new Text(3, FieldForms::isExitCode, "an exit code from \"0\" to \"255\"")),
            Map.entry("kueue.x-k8s.io/podset-required-topology", QUALIFIED),
            Map.entry("kueue.x-k8s.io/podset-preferred-topology", QUALIFIED),
            Map.entry("kueue.x-k8s.io/podset-unconstrained-topology", new Text(5, "true"::equals, "\"true\"")),
            Map.entry("kueue.x-k8s.io/podset-slice-required-topology", QUALIFIED),
            Map.entry(
                    "kueue.x-k8s.io/podset-slice-size",
                    new Text(5, text -> text.matches("[1-9][0-9]*"), "a number of pods from \"1\"")),
            Map.entry("kueue.x-k8s.io/podset-group-name", LABEL));

    private PodTemplateShape() {}

    /** The shape of a PodTemplateSpec. */
    static Shape podTemplate() {
        return Struct.of(Map.of("metadata", metadata(), "spec", podSpec()), "spec");
    }

    private static Shape metadata() {
        return Struct.of(Map.of(
                "labels", new Dictionary(ENTRIES_MAX, PodTemplateShape::labelKey, LABEL_VALUE),
                "annotations", new Dictionary(ENTRIES_MAX, PodTemplateShape::annotationKey, ANY_TEXT)));
    }

    private static Shape podSpec() {
        Map<String, Shape> members = Map.ofEntries(
                Map.entry("containers", new Many(1, 16, container(Map.of()), "name")),
                // A sidecar is an init container that is always restarted.
                Map.entry(
                        "initContainers",
                        new Many(0, 16, container(Map.of("restartPolicy", Choice.of("Always"))), "name")),
                Map.entry("volumes", new Many(0, ENTRIES_MAX, volume(), "name")),
                Map.entry("nodeSelector", new Dictionary(ENTRIES_MAX, PodTemplateShape::anyKey, LABEL_VALUE)),
                Map.entry("affinity", PlacementShapes.affinity(nodeAffinity())),
                Map.entry("topologySpreadConstraints", Many.of(ENTRIES_MAX, PlacementShapes.spread())),
                Map.entry("tolerations", Many.of(ENTRIES_MAX, toleration())),
                Map.entry("restartPolicy", Choice.of("Always", "OnFailure", "Never")),
                Map.entry("terminationGracePeriodSeconds", new Whole(0, 86_400)),
                Map.entry("activeDeadlineSeconds", new Whole(1, SECONDS_MAX)),
                Map.entry("securityContext", podSecurityContext()));
        return Struct.of(members, "containers").with(PodTemplateShape::containersFit);
    }

    private static Shape container(Map<String, Shape> more) {
        Map<String, Shape> members = new TreeMap<>(more);
        members.putAll(Map.ofEntries(
                Map.entry("name", LABEL),
                Map.entry("image", new Text(IMAGE_MAX, FieldForms::isImage, "an image name")),
                Map.entry("command", Many.of(256, ANY_TEXT)),
                Map.entry("args", Many.of(1_024, ANY_TEXT)),
                Map.entry("env", Many.of(512, envVar())),
                Map.entry(
                        "resources",
                        Struct.of(Map.of("requests", amounts(), "limits", amounts()))
                                .with(ResourceRules::check)),
                Map.entry("ports", Many.of(ENTRIES_MAX, port())),
                Map.entry("volumeMounts", new Many(0, ENTRIES_MAX, volumeMount(), "mountPath")),
                Map.entry("securityContext", containerSecurityContext())));
        return Struct.of(members, "name", "image");
    }

    private static Shape envVar() {
        Shape fieldRef = Struct.of(
                Map.of(
                        "fieldPath",
                        new Text(PATH_MAX, FieldForms::isFieldPath, "a field of the pod such as metadata.name"),
                        "apiVersion",
                        Choice.of("v1")),
                "fieldPath");
        Map<String, Shape> members = Map.of(
                "name",
                new Text(Names.SUBDOMAIN_MAX, FieldForms::isEnvName, "a name of printable characters but '='"),
                "value",
                ANY_TEXT,
                "valueFrom",
                Struct.of(Map.of("fieldRef", fieldRef), "fieldRef"));
        return Struct.of(members, "name").with((env, path) -> {
            if (env.hasNonNull("value") && env.hasNonNull("valueFrom")) {
                throw new Refused(InvalidValue, path, "has both value and valueFrom, expected one of them");
            }
        });
    }

    private static Shape amounts() {
        return new Dictionary(ENTRIES_MAX, ResourceRules::nameOf, new Amount());
    }

    private static Shape port() {
        return Struct.of(
                Map.of(
                        "name",
                        new Text(15, Names::isDnsLabel, "a port name of at most 15 characters"),
                        "containerPort",
                        PORT,
                        "protocol",
                        Choice.of("TCP", "UDP", "SCTP")),
                "containerPort");
    }

    private static Shape volumeMount() {
        return Struct.of(
                Map.of(
                        "name", LABEL,
                        "mountPath", new Text(PATH_MAX, FieldForms::isMountPath, "an absolute path without ':'"),
                        "subPath", new Text(PATH_MAX, FieldForms::isInnerPath, "a relative path without '..'"),
                        "readOnly", new Flag()),
                "name",
                "mountPath");
    }

    private static Shape volume() {
        Shape items = Many.of(
                ENTRIES_MAX,
                Struct.of(
                        Map.of(
                                "key", new Text(Names.SUBDOMAIN_MAX, FieldForms::isConfigKey, "a ConfigMap key"),
                                "path", new Text(PATH_MAX, FieldForms::isInnerPath, "a relative path without '..'"),
                                "mode", new Whole(0, 0777)),
                        "key",
                        "path"));
        Map<String, Shape> sources = Map.of(
                "emptyDir", Struct.of(Map.of("medium", Choice.of("", "Memory"), "sizeLimit", new Amount())),
                "configMap",
                        Struct.of(
                                Map.of(
                                        "name",
                                        SUBDOMAIN,
                                        "items",
                                        items,
                                        "optional",
                                        new Flag(),
                                        "defaultMode",
                                        new Whole(0, 0777)),
                                "name"),
                "persistentVolumeClaim",
                        Struct.of(Map.of("claimName", SUBDOMAIN, "readOnly", new Flag()), "claimName"));
        Map<String, Shape> members = new TreeMap<>(sources);
        members.put("name", LABEL);
        return Struct.of(members, "name").with((volume, path) -> {
            if (sources.keySet().stream().filter(volume::hasNonNull).count() != 1) {
                throw new Refused(
                        InvalidValue, path, "expected exactly one of emptyDir, configMap, persistentVolumeClaim");
            }
        });
    }

    private static Shape nodeAffinity() {
        Shape term = Struct.of(Map.of(
                "matchExpressions", Many.of(ENTRIES_MAX, expression(QUALIFIED)),
                "matchFields", Many.of(ENTRIES_MAX, expression(Choice.of("metadata.name")))));
        Shape required =
                Struct.of(Map.of("nodeSelectorTerms", new Many(1, ENTRIES_MAX, term, "")), "nodeSelectorTerms");
        Shape preferred = Struct.of(Map.of("weight", new Whole(1, 100), "preference", term), "weight", "preference");
        return Struct.of(Map.of(
                "requiredDuringSchedulingIgnoredDuringExecution",
                required,
                "preferredDuringSchedulingIgnoredDuringExecution",
                Many.of(ENTRIES_MAX, preferred)));
    }

    private static Shape expression(Shape key) {
        Shape values = Many.of(1_024, new Text(Names.SUBDOMAIN_MAX, FieldForms::isSelectorValue, "a label value"));
        return Struct.of(
                        Map.of(
                                "key", key,
                                "operator", Choice.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
                                "values", values),
                        "key",
                        "operator")
                .with(PodTemplateShape::valuesFitOperator);
    }

    private static Shape toleration() {
        return Struct.of(
                        Map.of(
                                "key",
                                QUALIFIED,
                                "operator",
                                Choice.of("Equal", "Exists"),
                                "value",
                                LABEL_VALUE,
                                "effect",
                                Choice.of("NoSchedule", "PreferNoSchedule", "NoExecute"),
                                "tolerationSeconds",
                                new Whole(0, SECONDS_MAX)),
                        "key")
                .with((toleration, path) -> {
                    String key = toleration.path("key").asText();
                    if (Names.isWithin(Names.domainOf(key), "node-role.kubernetes.io")) {
                        throw new Refused(ValueNotAllowed, path + ".key", "taints of node roles may not be tolerated");
                    }
                    if (toleration.path("operator").asText().equals("Exists")
                            && !toleration.path("value").asText().isEmpty()) {
                        throw new Refused(InvalidValue, path + ".value", "must be empty with operator Exists");
                    }
                });
    }

    private static Shape podSecurityContext() {
        return Struct.of(Map.of(
                "runAsNonRoot", new Always(true),
                "runAsUser", ID,
                "runAsGroup", ID,
                "fsGroup", ID,
                "seccompProfile", seccompProfile()));
    }

    private static Shape containerSecurityContext() {
        return Struct.of(Map.of(
                "runAsNonRoot",
                new Always(true),
                "runAsUser",
                ID,
                "runAsGroup",
                ID,
                "allowPrivilegeEscalation",
                new Always(false),
                "privileged",
                new Always(false),
                "readOnlyRootFilesystem",
                new Flag(),
                "capabilities",
                Struct.of(Map.of("drop", Many.of(ENTRIES_MAX, LABEL_VALUE))),
                "seccompProfile",
                seccompProfile()));
    }

    private static Shape seccompProfile() {
        return Struct.of(Map.of("type", Choice.of("RuntimeDefault")), "type");
    }

    private static Shape labelKey(String key, String path, Shape usual) throws Refused {
        requireQualified(key, path);
        String domain = Names.domainOf(key);
        for (String reserved : RESERVED_DOMAINS) {
            if (Names.isWithin(domain, reserved)) {
                throw new Refused(FieldNotAllowed, path, "keys of " + reserved + " are reserved");
            }
        }
        return usual;
    }

    private static Shape annotationKey(String key, String path, Shape usual) throws Refused {
        Shape own = OWN_ANNOTATIONS.get(key);
        return own != null ? own : labelKey(key, path, usual);
    }

    static Shape anyKey(String key, String path, Shape usual) throws Refused {
        requireQualified(key, path);
        return usual;
    }

    private static void requireQualified(String key, String path) throws Refused {
        if (!Names.isQualifiedName(key)) {
            throw new Refused(InvalidName, path, "expected a qualified name such as example.com/name");
        }
    }

    private static void containersFit(JsonNode spec, String path) throws Refused {
        Set<String> volumes = new HashSet<>();
        spec.path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
        mountsNameVolumes(spec, path, "containers", volumes);
        mountsNameVolumes(spec, path, "initContainers", volumes);
        Set<String> names = new HashSet<>();
        spec.path("containers")
                .forEach(container -> names.add(container.path("name").asText()));
        for (int i = 0; i < spec.path("initContainers").size(); i++) {
            String name = spec.path("initContainers").get(i).path("name").asText();
            if (names.contains(name)) {
                throw new Refused(
                        Duplicate, path + ".initContainers[" + i + "].name", "is the name of a container of the pod");
            }
        }
    }

    private static void mountsNameVolumes(JsonNode spec, String path, String field, Set<String> volumes)
            throws Refused {
        JsonNode containers = spec.path(field);
        for (int i = 0; i < containers.size(); i++) {
            JsonNode mounts = containers.get(i).path("volumeMounts");
            for (int j = 0; j < mounts.size(); j++) {
                String name = mounts.get(j).path("name").asText();
                if (!volumes.contains(name)) {
                    throw new Refused(
                            InvalidValue,
                            path + "." + field + "[" + i + "].volumeMounts[" + j + "].name",
                            "names no volume of the pod: " + Names.quote(name));
                }
            }
        }
    }

    static void valuesFitOperator(JsonNode expression, String path) throws Refused {
        int count = expression.path("values").size();
        String operator = expression.path("operator").asText();
        boolean fits = switch (operator) {
            case "In", "NotIn" -> count > 0;
            case "Exists", "DoesNotExist" -> count == 0;
            default ->
                count == 1
                        && FieldForms.isInteger(
                                expression.path("values").path(0).asText());
        };
        if (!fits) {
            throw new Refused(InvalidValue, path + ".values", "does not fit operator " + operator);
        }
    }
}
