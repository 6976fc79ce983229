package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.NodeTerm;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.ClaimSpec;
import dev.muster.schemas.event.CsiNodeSpec;
import dev.muster.schemas.event.StorageClassSpec;
import dev.muster.schemas.event.VolumeSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageMapperTest {

    private static <T extends HasMetadata, S> S facts(Class<T> type, Function<T, Mapped<S>> mapper, String yaml) {
        Mapped<S> mapped = mapper.apply(Amounts.yaml(type, yaml));
        assertThat(mapped.refusals()).isEmpty();
        return mapped.facts().orElseThrow();
    }

    private static NodeTerm in(String key, String... values) {
        return new NodeTerm(List.of(new MatchExpression(key, "In", List.of(values), false)));
    }

    private static final String CLAIM = """
            metadata: {name: data, namespace: ml%s}
            spec:
              storageClassName: fast
              volumeName: %s
              accessModes: [ReadWriteOncePod, ReadOnlyMany]
              resources: {requests: {storage: 1Gi}}
              selector: {matchLabels: {tier: gold}}
            status: {phase: %s}
            """;

    @ParameterizedTest
    @CsvSource({
        "'', pv, Bound, true",
        "'', pv, Pending, false",
        "', annotations: {pv.kubernetes.io/bind-completed: \"yes\"}', pv, Pending, true",
        "'', '', Bound, false"
    })
    void aClaimIsBoundWhenItsControllerSaysSoAndItNamesItsVolume(
            String meta, String volume, String phase, boolean bound) {
        ClaimSpec claim = facts(
                PersistentVolumeClaim.class, StorageMapper::claim, CLAIM.formatted(meta, "'" + volume + "'", phase));
        assertThat(claim)
                .isEqualTo(new ClaimSpec(
                        volume,
                        bound,
                        false,
                        "fast",
                        true,
                        List.of("ReadOnlyMany", "ReadWriteOncePod"),
                        1L << 30,
                        List.of(new MatchExpression("tier", "In", List.of("gold"), false)),
                        "",
                        false,
                        List.of(),
                        ""));
    }

    @Test
    void aVolumeComesWithItsPlaceItsDriverAndItsClaim() {
        VolumeSpec volume = facts(PersistentVolume.class, StorageMapper::volume, """
                metadata: {name: pv, labels: {topology.kubernetes.io/zone: a__b}}
                spec:
                  storageClassName: fast
                  volumeMode: Block
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 2Gi}
                  claimRef: {namespace: ml, name: data}
                  csi: {driver: disk.csi, volumeHandle: vol-1}
                  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: host, operator: In, values: [n1]}]}]}}
                status: {phase: Bound}
                """);
        assertThat(volume)
                .isEqualTo(new VolumeSpec(
                        "ml/data",
                        false,
                        "fast",
                        List.of("ReadWriteOnce"),
                        2L << 30,
                        List.of(new KeyValue("topology.kubernetes.io/zone", "a__b")),
                        "disk.csi",
                        "vol-1",
                        List.of(in("host", "n1")),
                        true));
        assertThat(facts(PersistentVolume.class, StorageMapper::volume, "{metadata: {name: pv}, spec: {}}")
                        .getAvailable())
                .isTrue();
        assertThat(facts(
                                PersistentVolume.class,
                                StorageMapper::volume,
                                "{metadata: {name: pv, deletionTimestamp: '2026-01-01T00:00:00Z'}, spec: {}}")
                        .getAvailable())
                .isFalse();
    }

    @Test
    void aClaimThatIsAPodsOwnNamesThePod() {
        String claim = "{metadata: {name: c, namespace: ml, ownerReferences: [%s]}, spec: {}}";
        String owner = "{apiVersion: v1, kind: %s, name: p, uid: u-1, controller: %s}";
        assertThat(facts(
                                PersistentVolumeClaim.class,
                                StorageMapper::claim,
                                claim.formatted(owner.formatted("Pod", "true")))
                        .getPod())
                .isEqualTo("u-1");
        for (String other : List.of(owner.formatted("Pod", "false"), owner.formatted("StatefulSet", "true"))) {
            assertThat(facts(PersistentVolumeClaim.class, StorageMapper::claim, claim.formatted(other))
                            .getPod())
                    .isEmpty();
        }
    }

    @Test
    void aClassSaysWhoMakesItsVolumesWhenAndWhere() {
        StorageClassSpec spec = facts(StorageClass.class, StorageMapper::storageClass, """
                metadata: {name: fast}
                provisioner: disk.csi
                volumeBindingMode: WaitForFirstConsumer
                allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]
                """);
        assertThat(spec).isEqualTo(new StorageClassSpec("disk.csi", true, List.of(in("zone", "a", "b"))));
    }

    @Test
    void aCsiNodeSaysWhatItsDriversCanAttach() {
        CsiNodeSpec spec = facts(CSINode.class, StorageMapper::csiNode, """
                metadata: {name: n1}
                spec: {drivers: [{name: b, allocatable: {count: 3}}, {name: a, allocatable: {count: 0}}, {name: c}]}
                """);
        assertThat(spec).isEqualTo(new CsiNodeSpec(List.of(new Quantity("a", 0L), new Quantity("b", 3L))));
    }

    @Test
    void whatCannotBeReadIsRefused() {
        assertThat(StorageMapper.claim(Amounts.yaml(
                                PersistentVolumeClaim.class,
                                CLAIM.formatted("", "pv", "Bound").replace("1Gi", "lots")))
                        .facts())
                .isEmpty();
        assertThat(StorageMapper.csiNode(Amounts.yaml(
                                CSINode.class,
                                "{metadata: {name: n}, spec: {drivers: [{name: a, allocatable: {count: -1}}]}}"))
                        .facts())
                .isEmpty();
    }

    @Test
    void aPodUsesTheClaimsOfItsVolumesAndThoseMadeForIt() {
        Pod pod = Amounts.yaml(Pod.class, """
                metadata: {name: p, namespace: ml}
                spec:
                  schedulerName: muster
                  volumes:
                  - {name: a, persistentVolumeClaim: {claimName: data}}
                  - {name: b, persistentVolumeClaim: {claimName: data}}
                  - {name: scratch, ephemeral: {volumeClaimTemplate: {spec: {}}}}
                  - {name: c, emptyDir: {}}
                """);
        var spec = new PodMapper(Set.of("muster")).map(pod).facts().orElseThrow();
        assertThat(spec.getRequirement().getClaims()).containsExactly("ml/data", "ml/p-scratch");
    }
}
