package dev.muster.ingest.intake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.ingest.map.Mapped;
import dev.muster.ingest.map.RequirementMapper;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * From the JSON a tenant sent to a template that pods may be made of: read strictly, checked against the allow-list,
 * put into canonical form, hashed, its requirement worked out. What is checked is the canonical text itself, so
 * nothing is merged in or read differently afterwards.
 */
final class PodTemplateReader {

    /**
     * Largest amount of one resource that a pod may ask for, in thousandths of a core or base units: 10,000 pods of
     * it still add up in a long.
     */
    static final long AMOUNT_MAX = 1L << 48;

    private static final int MESSAGE_MAX = 200;

    /**
     * A template that may be used.
     *
     * @param hash SHA-256 of {@code json}, in hex
     * @param json the PodTemplateSpec as canonical JSON
     * @param requirement what each pod needs
     * @param labels those that each pod will have
     */
    record Template(String hash, String json, PodRequirement requirement, SortedMap<String, String> labels) {}

    private final Shape shape = PodTemplateShape.podTemplate();
    private final KubernetesSerialization kubernetes =
            new KubernetesSerialization(JsonMapper.builder().build(), false);
    private final StrictJson json;

    /** @param maxLength longest template that is read, in characters */
    PodTemplateReader(int maxLength) {
        this.json = new StrictJson(maxLength);
    }

    /**
     * Reads a template.
     *
     * @param namespace where its pods will be
     * @param marks labels that the binder puts on them
     * @param path where it stands in the command
     */
    Template read(String text, String namespace, Map<String, String> marks, String path) throws Refused {
        String canonical;
        try {
            JsonNode node = json.read(text);
            shape.check(node, path);
            canonical = json.canonical(node);
        } catch (JsonProcessingException e) {
            throw new Refused(RefusalReason.MalformedTemplate, path, describe(e));
        }
        PodTemplateSpec template = kubernetes.unmarshal(canonical, PodTemplateSpec.class);
        SortedMap<String, String> labels = new TreeMap<>(marks);
        if (template.getMetadata() != null && template.getMetadata().getLabels() != null) {
            labels.putAll(template.getMetadata().getLabels());
        }
        PodRequirement requirement = requirement(template, namespace, labels, path);
        return new Template(Hashes.sha256(canonical), canonical, requirement, labels);
    }

    private PodRequirement requirement(
            PodTemplateSpec template, String namespace, Map<String, String> labels, String path) throws Refused {
        Map<String, String> annotations =
                template.getMetadata() == null ? null : template.getMetadata().getAnnotations();
        Mapped<PodRequirement> mapped = RequirementMapper.map(
                template.getSpec(), namespace, labels, annotations == null ? Map.of() : annotations);
        if (!mapped.refusals().isEmpty()) {
            var fault = mapped.refusals().getFirst();
            throw new Refused(
                    RefusalReason.InvalidValue,
                    path + '.' + Names.escape(fault.field(), MESSAGE_MAX),
                    Names.escape(fault.message(), MESSAGE_MAX));
        }
        PodRequirement requirement = mapped.facts().orElseThrow();
        for (Quantity request : requirement.getRequests()) {
            if (request.getAmount() < 0 || request.getAmount() > AMOUNT_MAX) {
                throw new Refused(
                        RefusalReason.OutOfRange,
                        path,
                        "asks for " + request.getAmount() + " of " + Names.quote(request.getResource())
                                + ", expected at most " + AMOUNT_MAX);
            }
        }
        return requirement;
    }

    private static String describe(JsonProcessingException e) {
        String where = e.getLocation() == null
                ? ""
                : " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
        return "expected one JSON object without duplicate keys, at most " + StrictJson.DEPTH_MAX + " levels deep: "
                + Names.escape(String.valueOf(e.getOriginalMessage()), MESSAGE_MAX) + where;
    }
}
