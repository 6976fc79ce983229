package dev.muster.standalone.faults;

import java.util.Map;
import java.util.TreeMap;

/** Seeds that failed once, and what they found. They are played in every build, whatever the first seeds are. */
final class FailedSeeds {
    static final Map<Long, String> ALL = new TreeMap<>(Map.ofEntries(
            Map.entry(
                    1L,
                    "Room stayed held for a submitted job's pod that was made, bound and gone while no ingest watched."),
            Map.entry(
                    11L,
                    "What was left of a submitted job waited for ever once the pods that had ended were gone: it had no cluster any more."),
            Map.entry(
                    38L,
                    "Room was given away when a submitted job's pod was deleted, though its decision was open and a binder made it again."),
            Map.entry(
                    182L,
                    "Slots stayed held for a gang that was forgotten: its job was over, its pod had gone with its node."),
            Map.entry(
                    211L,
                    "A binder that was late made and bound a pod of a placement that another had taken back and answered."),
            Map.entry(
                    234L,
                    "Room was given away though its pod ran: two lists older than the pod were heard of after its outcome."),
            Map.entry(
                    277L,
                    "A pod that had ended well ended badly; of a place's first result a restored scheduler took the later one."),
            Map.entry(
                    554L,
                    "Late news that an earlier pod of a job's place had been bound elsewhere ended what was held for the one that was just made."),
            Map.entry(
                    1056L,
                    "A pod that had ended before it was seen bound stayed a stranger to its job, which waited for ever for its name."),
            Map.entry(
                    1109L,
                    "A broken gang's slots on a node that was gone moved to a node nobody knew: a restored scheduler decided otherwise."),
            Map.entry(
                    1376L,
                    "A binder that never saw a pod said that it was gone; the pod, made late, lived on, and room was held for it for ever."),
            Map.entry(2020L, "No fault: one node with one GPU needs longer than 15 minutes for what waits at the end."),
            Map.entry(
                    2263L,
                    "Room was given away when a binder found a pod gone, before the news that it had been bound was heard."),
            Map.entry(
                    3273L,
                    "Room was held for ever for a pod that came and went unseen, since another had its name by then."),
            Map.entry(
                    7942L,
                    "A submitted job's pod was bound, ended and went while its decision was open; a binder made it anew in what was another's by then."),
            Map.entry(
                    8175L,
                    "Late news of an earlier pod of a job's place ended what was held for the one that a binder had seen since."),
            Map.entry(
                    9953L,
                    "Room of a broken gang on a forgotten node was given away: a claim counted twice (as 1109, by another way)."),
            Map.entry(9768L, "A second outcome changed what is held for a member, and the store did not hear of it.")));

    private FailedSeeds() {}
}
