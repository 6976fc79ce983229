package dev.muster.ingest.map;

import dev.muster.schemas.event.HyperNodeMatch;
import dev.muster.schemas.event.HyperNodeMember;
import dev.muster.schemas.event.HyperNodeSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A HyperNode of Volcano (topology.volcano.sh/v1alpha1), checked as Volcano's webhook checks it. */
public final class HyperNodeMapper {

    private HyperNodeMapper() {}

    /** The facts of {@code object}. */
    public static Mapped<HyperNodeSpec> map(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree spec = Tree.of(object, problems).child("spec");
        List<HyperNodeMember> members = new ArrayList<>();
        for (Tree member : spec.children("members", Limits.HYPER_NODE_MEMBERS)) {
            members.add(member(member, problems));
        }
        HyperNodeSpec facts =
                new HyperNodeSpec(spec.number("tier", 0, 0, Integer.MAX_VALUE), spec.text("tierName"), members);
        return Mapped.strict(facts, problems);
    }

    private static HyperNodeMember member(Tree member, Problems problems) {
        String type = member.text("type");
        boolean hyperNode = type.equals("HyperNode");
        if (!hyperNode && !type.equals("Node")) {
            problems.invalid(member.path("type"), type, "Node or HyperNode");
        }
        Tree selector = member.child("selector");
        if (selector.has("labelMatch") && !hyperNode) {
            return new HyperNodeMember(
                    false,
                    HyperNodeMatch.LABELS,
                    "",
                    new Selectors(problems).labelSelector(selector.child("labelMatch")));
        }
        if (selector.has("regexMatch")) {
            String pattern = selector.child("regexMatch").text("pattern");
            if (!compiles(pattern)) {
                problems.invalid(selector.path("regexMatch.pattern"), pattern, "a regular expression");
            }
            return new HyperNodeMember(hyperNode, HyperNodeMatch.PATTERN, pattern, List.of());
        }
        String name = selector.child("exactMatch").text("name");
        if (name.isEmpty()) {
            problems.invalid(
                    member.path("selector"), "must have one of exactMatch, regexMatch and (of nodes) labelMatch");
        }
        return new HyperNodeMember(hyperNode, HyperNodeMatch.NAME, name, List.of());
    }

    private static boolean compiles(String pattern) {
        try {
            Pattern.compile(pattern);
            return !pattern.isEmpty();
        } catch (PatternSyntaxException e) {
            return false;
        }
    }
}
