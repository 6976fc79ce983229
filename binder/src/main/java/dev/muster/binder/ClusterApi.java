package dev.muster.binder;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls that the binder makes to an API server. Each is one request, tried once; each throws {@link ApiException}
 * when it was refused or when no answer came.
 */
interface ClusterApi {

    /** The pod under that name now. */
    Optional<PodState> pod(PodKey key);

    /** The node under that name now. */
    Optional<NodeState> node(String name);

    /**
     * Binds exactly the state of the pod that was seen (uid and resourceVersion ride along), and annotates it in the
     * same request: the API server copies a Binding's annotations onto the pod ({@code
     * BindingREST.setPodHostAndAnnotations}).
     */
    void bind(PodState seen, String node, Map<String, String> annotations);

    /** Creates a pod; 409 when the name is taken. */
    PodState create(Pod pod);

    /** Annotates exactly the state of the pod that was seen (uid and resourceVersion precondition). */
    void annotate(PodState seen, Map<String, String> annotations);

    /** Asks for an eviction of the pod with that uid: 429 when a disruption budget forbids it. */
    void evict(PodKey key, String uid);

    /** Deletes the pod with that uid. */
    void delete(PodKey key, String uid);

    /** The claim under that name now. */
    Optional<ClaimState> claim(String namespace, String name);

    /** The volume under that name now. */
    Optional<VolumeState> volume(String name);

    /** The labels of the node under that name now. */
    Optional<Map<String, String>> nodeLabels(String name);

    /** Says on exactly the state of the claim that was seen for which node a volume is to be made. */
    void selectNode(ClaimState seen, String node);

    /** Makes exactly the state of the volume that was seen the claim's. */
    void giveVolume(VolumeState seen, ClaimState claim);

    /** How the placement ended, by its seal; empty where there is none. */
    Optional<Seal> seal(String decisionId);

    /** Creates the seal of a placement; 409 when there is one. */
    void seal(String decisionId, Seal seal);

    /** Every seal that lies in the cluster. */
    List<SealSweeper.Lying> seals();

    /** Deletes a seal; nothing where there is none. */
    void deleteSeal(String name);

    /** Sets condition PodScheduled=False, reason Unschedulable, on the pod with that uid. */
    void markUnschedulable(PodKey key, String uid, String message, String time);

    /** Creates an Event; 409 when it exists. */
    void createEvent(Event event);

    /** Status of a Volcano PodGroup; empty where there is no such object. */
    Optional<PodGroupStatus> podGroupStatus(String namespace, String name);

    /** Sets the status of a Volcano PodGroup: its phase, and all of its conditions. */
    void setPodGroupStatus(String namespace, String name, PodGroupStatus status);
}
