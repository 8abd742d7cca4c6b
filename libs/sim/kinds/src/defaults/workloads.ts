import { isRecord, type Loose, type LooseRecord } from "@microremed/sim-objects";
import { defaultPodSpec, fill } from "./pod-spec.ts";

const quarter = "25%";

function defaultTemplate(object: LooseRecord): void {
  const template = object["spec"].template;
  if (isRecord(template?.["spec"])) defaultPodSpec(template["spec"]);
}

export function defaultDeployment(object: LooseRecord): void {
  const { spec } = object;
  fill(spec, { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  spec.strategy.type ??= "RollingUpdate";
  if (spec.strategy.type === "RollingUpdate") {
    spec.strategy.rollingUpdate ??= {};
    fill(spec.strategy.rollingUpdate, { maxUnavailable: quarter, maxSurge: quarter });
  }
  defaultTemplate(object);
}

export function defaultReplicaSet(object: LooseRecord): void {
  fill(object["spec"], { replicas: 1 });
  const labels = object["spec"].template?.metadata?.labels;
  if (labels) object["metadata"].labels ??= labels;
  defaultTemplate(object);
}

export function defaultReplicationController(object: LooseRecord): void {
  const { spec } = object;
  fill(spec, { replicas: 1 });
  const labels = spec.template?.metadata?.labels;
  if (labels) {
    fill(spec, { selector: labels });
    fill(object["metadata"], { labels });
  }
  if (isRecord(spec.template)) defaultTemplate(object);
}

export function defaultStatefulSet(object: LooseRecord): void {
  const { spec } = object;
  fill(spec, {
    replicas: 1,
    podManagementPolicy: "OrderedReady",
    updateStrategy: {},
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: {},
  });
  fill(spec.persistentVolumeClaimRetentionPolicy, { whenDeleted: "Retain", whenScaled: "Retain" });
  spec.updateStrategy.type ??= "RollingUpdate";
  if (spec.updateStrategy.type === "RollingUpdate") {
    spec.updateStrategy.rollingUpdate ??= {};
    fill(spec.updateStrategy.rollingUpdate, { partition: 0 });
  }
  for (const claim of spec.volumeClaimTemplates ?? []) {
    fill(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim", spec: {}, status: { phase: "Pending" } });
    fill(claim.spec, { volumeMode: "Filesystem" });
  }
  defaultTemplate(object);
}

export function defaultDaemonSet(object: LooseRecord): void {
  const { spec } = object;
  fill(spec, { updateStrategy: {}, revisionHistoryLimit: 10 });
  spec.updateStrategy.type ??= "RollingUpdate";
  if (spec.updateStrategy.type === "RollingUpdate") {
    spec.updateStrategy.rollingUpdate ??= {};
    fill(spec.updateStrategy.rollingUpdate, { maxUnavailable: 1, maxSurge: 0 });
  }
  defaultTemplate(object);
}

function defaultJobSpec(spec: Loose): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  fill(spec, {
    parallelism: 1,
    backoffLimit: 6,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: "TerminatingOrFailed",
  });
  if (isRecord(spec.template?.spec)) defaultPodSpec(spec.template.spec);
}

/** A Job selects its pods by its own uid, so it must have one already. */
export function defaultJob(object: LooseRecord): void {
  const { spec, metadata } = object;
  defaultJobSpec(spec);
  if (spec.selector || !metadata.uid || !isRecord(spec.template)) return;
  const own = {
    "batch.kubernetes.io/controller-uid": metadata.uid,
    "batch.kubernetes.io/job-name": metadata.name,
    "controller-uid": metadata.uid,
    "job-name": metadata.name,
  };
  spec.selector = { matchLabels: { "batch.kubernetes.io/controller-uid": metadata.uid } };
  const template: LooseRecord = spec.template;
  template["metadata"] = {
    ...template["metadata"],
    labels: { ...template["metadata"]?.labels, ...own },
  };
}

export function defaultCronJob(object: LooseRecord): void {
  const { spec } = object;
  fill(spec, {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  const template = spec.jobTemplate?.spec?.template;
  if (isRecord(template?.["spec"])) defaultPodSpec(template["spec"]);
}
