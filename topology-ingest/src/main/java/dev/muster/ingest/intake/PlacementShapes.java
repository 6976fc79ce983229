package dev.muster.ingest.intake;

import static dev.muster.ingest.intake.PodTemplateShape.ENTRIES_MAX;
import static dev.muster.ingest.intake.PodTemplateShape.LABEL_VALUE;
import static dev.muster.ingest.intake.PodTemplateShape.QUALIFIED;

import dev.muster.ingest.intake.Shape.Choice;
import dev.muster.ingest.intake.Shape.Dictionary;
import dev.muster.ingest.intake.Shape.Many;
import dev.muster.ingest.intake.Shape.Struct;
import dev.muster.ingest.intake.Shape.Text;
import dev.muster.ingest.intake.Shape.Whole;
import java.util.Map;

/**
 * What a template may say of other pods. Only of those in its own namespace: a tenant's pods neither follow nor repel pods that
 * it may not see.
 */
final class PlacementShapes {

    private PlacementShapes() {}

    static Shape affinity(Shape nodeAffinity) {
        return Struct.of(Map.of(
                "nodeAffinity", nodeAffinity,
                "podAffinity", podAffinity(),
                "podAntiAffinity", podAffinity()));
    }

    private static Shape podAffinity() {
        Shape preferred =
                Struct.of(Map.of("weight", new Whole(1, 100), "podAffinityTerm", term()), "weight", "podAffinityTerm");
        return Struct.of(Map.of(
                "requiredDuringSchedulingIgnoredDuringExecution", Many.of(ENTRIES_MAX, term()),
                "preferredDuringSchedulingIgnoredDuringExecution", Many.of(ENTRIES_MAX, preferred)));
    }

    private static Shape term() {
        return Struct.of(
                Map.of(
                        "topologyKey", QUALIFIED,
                        "labelSelector", labelSelector(),
                        "matchLabelKeys", Many.of(ENTRIES_MAX, QUALIFIED),
                        "mismatchLabelKeys", Many.of(ENTRIES_MAX, QUALIFIED)),
                "topologyKey",
                "labelSelector");
    }

    private static Shape labelSelector() {
        Shape values = Many.of(1_024, new Text(Names.LABEL_MAX, Names::isLabelValue, "a label value"));
        Shape expression = Struct.of(
                        Map.of(
                                "key", QUALIFIED,
                                "operator", Choice.of("In", "NotIn", "Exists", "DoesNotExist"),
                                "values", values),
                        "key",
                        "operator")
                .with(PodTemplateShape::valuesFitOperator);
        return Struct.of(Map.of(
                "matchLabels",
                new Dictionary(ENTRIES_MAX, PodTemplateShape::anyKey, LABEL_VALUE),
                "matchExpressions",
                Many.of(ENTRIES_MAX, expression)));
    }

    /** A TopologySpreadConstraint. */
    static Shape spread() {
        return Struct.of(
                Map.of(
                        "maxSkew", new Whole(1, Integer.MAX_VALUE),
                        "topologyKey", QUALIFIED,
                        "whenUnsatisfiable", Choice.of("DoNotSchedule", "ScheduleAnyway"),
                        "labelSelector", labelSelector(),
                        "matchLabelKeys", Many.of(ENTRIES_MAX, QUALIFIED),
                        "minDomains", new Whole(1, Integer.MAX_VALUE),
                        "nodeAffinityPolicy", Choice.of("Honor", "Ignore"),
                        "nodeTaintsPolicy", Choice.of("Honor", "Ignore")),
                "maxSkew",
                "topologyKey",
                "whenUnsatisfiable");
    }
}
