package dev.muster.ingest.intake;

import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobSpec;
import dev.muster.schemas.job.JobTask;
import dev.muster.schemas.serde.AvroSerde;
import java.util.List;

/** Commands that tests begin with. */
final class Commands {

    static {
        AvroSerde.trustGeneratedClasses();
    }

    static final String TEMPLATE = """
        {"spec": {"restartPolicy": "Never",
                  "containers": [{"name": "main", "image": "busybox:1",
                                  "env": [{"name": "TOKEN", "value": "canary-4711"}],
                                  "resources": {"requests": {"cpu": "500m", "memory": "1Gi"},
                                                "limits": {"nvidia.com/gpu": 2}}}]}}
        """;

    /** A template that uses every field of the allow-list. */
    static final String FULL_TEMPLATE = """
        {
          "metadata": {
            "labels": {"app": "train", "example.com/team": "vision"},
            "annotations": {"example.com/note": "any text", "muster.dev/runtime": "90s",
                            "muster.dev/fail-after": "1m30s", "muster.dev/exit-code": "3"}
          },
          "spec": {
            "containers": [{
              "name": "main",
              "image": "registry.example.com/train@sha256:0123",
              "command": ["python", "train.py"],
              "args": ["--epochs", "3"],
              "env": [{"name": "A", "value": "b"},
                      {"name": "POD", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}}],
              "resources": {"requests": {"cpu": 2, "memory": "16Gi"},
                            "limits": {"memory": "16Gi", "nvidia.com/gpu": "8", "rdma/hca": 1}},
              "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
              "volumeMounts": [{"name": "scratch", "mountPath": "/scratch", "subPath": "a/b", "readOnly": false},
                               {"name": "settings", "mountPath": "/etc/train"},
                               {"name": "data", "mountPath": "/data"}],
              "securityContext": {"runAsNonRoot": true, "runAsUser": 1000, "runAsGroup": 1000,
                                  "allowPrivilegeEscalation": false, "privileged": false,
                                  "readOnlyRootFilesystem": true, "capabilities": {"drop": ["ALL"]},
                                  "seccompProfile": {"type": "RuntimeDefault"}}
            }],
            "initContainers": [{
              "name": "fetch",
              "image": "registry.example.com/fetch:1",
              "restartPolicy": "Always",
              "command": ["fetch"],
              "args": ["--all"],
              "env": [{"name": "A", "value": "b"},
                      {"name": "POD", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}}],
              "resources": {"requests": {"cpu": 1}, "limits": {"memory": "1Gi"}},
              "ports": [{"name": "status", "containerPort": 9090, "protocol": "TCP"}],
              "volumeMounts": [{"name": "scratch", "mountPath": "/scratch", "subPath": "a/b", "readOnly": false}],
              "securityContext": {"runAsNonRoot": true, "runAsUser": 1000, "runAsGroup": 1000,
                                  "allowPrivilegeEscalation": false, "privileged": false,
                                  "readOnlyRootFilesystem": true, "capabilities": {"drop": ["ALL"]},
                                  "seccompProfile": {"type": "RuntimeDefault"}}
            }],
            "volumes": [{"name": "scratch", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}},
                        {"name": "settings", "configMap": {"name": "train", "optional": true, "defaultMode": 420,
                                                           "items": [{"key": "a.yaml", "path": "x/a.yaml", "mode": 256}]}},
                        {"name": "data", "persistentVolumeClaim": {"claimName": "images", "readOnly": true}}],
            "nodeSelector": {"gpu.example.com/model": "h100"},
            "affinity": {"nodeAffinity": {
              "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]},
                                      {"key": "memory", "operator": "Gt", "values": ["64"]}],
                 "matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["node-7"]}]}]},
              "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 10, "preference": {
                  "matchExpressions": [{"key": "fast", "operator": "In", "values": ["yes"]}],
                  "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}}]},
              "podAffinity": {
              "requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "matchLabelKeys": ["run"], "mismatchLabelKeys": ["tenant"], "labelSelector": {
                  "matchLabels": {"app": "train"},
                  "matchExpressions": [{"key": "tier", "operator": "In", "values": ["gold"]}]}}],
              "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "podAffinityTerm": {"topologyKey": "zone", "matchLabelKeys": ["run"], "mismatchLabelKeys": ["tenant"], "labelSelector": {
                  "matchLabels": {"app": "train"},
                  "matchExpressions": [{"key": "tier", "operator": "In", "values": ["gold"]}]}}}]},
              "podAntiAffinity": {
              "requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "matchLabelKeys": ["run"], "mismatchLabelKeys": ["tenant"], "labelSelector": {
                  "matchLabels": {"app": "train"},
                  "matchExpressions": [{"key": "tier", "operator": "In", "values": ["gold"]}]}}],
              "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "podAffinityTerm": {"topologyKey": "zone", "matchLabelKeys": ["run"], "mismatchLabelKeys": ["tenant"], "labelSelector": {
                  "matchLabels": {"app": "train"},
                  "matchExpressions": [{"key": "tier", "operator": "In", "values": ["gold"]}]}}}]}},
            "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule",
              "minDomains": 2, "nodeAffinityPolicy": "Honor", "nodeTaintsPolicy": "Ignore", "matchLabelKeys": ["app"],
              "labelSelector": {"matchLabels": {"muster.dev/task": "worker"},
                                "matchExpressions": [{"key": "app", "operator": "In", "values": ["train"]}]}}],
            "tolerations": [{"key": "nvidia.com/gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule",
                             "tolerationSeconds": 60}],
            "restartPolicy": "OnFailure",
            "terminationGracePeriodSeconds": 30,
            "activeDeadlineSeconds": 3600,
            "securityContext": {"runAsNonRoot": true, "runAsUser": 1000, "runAsGroup": 1000, "fsGroup": 1000,
                                "seccompProfile": {"type": "RuntimeDefault"}}
          }
        }
        """;

    private Commands() {}

    static JobCommand submit(String commandId, String jobId) {
        return new JobCommand(commandId, jobId, JobAction.SUBMIT, job(task("worker", 4)));
    }

    static JobCommand cancel(String commandId, String jobId) {
        return of(JobAction.CANCEL, commandId, jobId);
    }

    /** About a job that was submitted before. */
    static JobCommand of(JobAction action, String commandId, String jobId) {
        return new JobCommand(commandId, jobId, action, null);
    }

    static JobSpec job(JobTask... tasks) {
        return new JobSpec("default", "", "", 0, -1, List.of(tasks), null, false);
    }

    static JobTask task(String name, int replicas) {
        return new JobTask(name, replicas, -1, TEMPLATE);
    }

    static JobCommand withTemplate(String template) {
        return new JobCommand("c", "job", JobAction.SUBMIT, job(new JobTask("worker", 1, -1, template)));
    }
}
