import { isJsonObject, ownNamesOnly } from "@microremed/core";
import { z } from "zod";
import type { VolumeSpec, WorkloadKind, WorkloadSpec } from "./environment.types.ts";
import type { WorkloadModel } from "./format.ts";
import type { Manifest } from "./manifest.ts";
import { ofManifest } from "./places.ts";
import { containerOf, RawContainer } from "./read-container.ts";
import { placeIn, shapeProblems } from "./shape-problems.ts";

const texts = z.record(z.string(), z.string()).default({});

const Volume = z.object({
  name: z.string(),
  emptyDir: z.object({}).optional(),
  configMap: z.object({ name: z.string(), optional: z.boolean().optional() }).optional(),
  secret: z.object({ secretName: z.string(), optional: z.boolean().optional() }).optional(),
  persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
});

const ClaimSpec = z.object({
  resources: z.object({
    requests: z.object({ storage: z.union([z.string(), z.number()]).transform(String) }),
  }),
});

const PodSpec = z.object({
  serviceAccountName: z.string().optional(),
  terminationGracePeriodSeconds: z.number().default(30),
  initContainers: z.array(RawContainer).default([]),
  containers: z.array(RawContainer).min(1),
  volumes: z.array(Volume).default([]),
});

/** What is read of the template of an object that makes pods. */
export const PodTemplate = z.object({
  metadata: z.object({ labels: texts, annotations: texts }).prefault({}),
  spec: PodSpec,
});

const Spec = z.object({
  replicas: z.number().default(1),
  serviceName: z.string().optional(),
  selector: z.object({ matchLabels: texts }).prefault({}),
  template: PodTemplate,
  volumeClaimTemplates: z
    .array(z.object({ metadata: z.object({ name: z.string() }), spec: ClaimSpec }))
    .default([]),
});

const workloadKinds: readonly string[] = ["Deployment", "StatefulSet", "DaemonSet"] satisfies WorkloadKind[];

/** Whether an object is a workload whose pods run on and on. */
export const isWorkload = (manifest: Manifest): boolean =>
  workloadKinds.includes(manifest.kind) && manifest.apiVersion.startsWith("apps/");

/** A workload's manifest with what the model says of it, or what is wrong with it, a line each. */
export function readWorkload(
  manifest: Manifest,
  model: WorkloadModel,
  all: readonly Manifest[],
): WorkloadSpec | string[] {
  const { kind } = manifest;
  const value = manifest["spec"];
  const parsed = Spec.safeParse(value, { jitless: true });
  if (!parsed.success) {
    const { error } = parsed;
    const at = (field: string): string => `${ofManifest(manifest)}: ${placeIn("spec", field)}`;
    return shapeProblems({ error, value, schema: Spec, at });
  }
  const { template, selector, volumeClaimTemplates, replicas, serviceName } = parsed.data;
  const { spec: pod, metadata: own } = template;
  const modelled = ownNamesOnly(model.containers);
  const container = (raw: z.output<typeof RawContainer>) => containerOf(raw, modelled[raw.name]);
  const claims = volumeClaimTemplates.map(({ metadata: { name }, spec }): [string, VolumeSpec] => [
    name,
    { type: "claim", name, size: spec.resources.requests.storage, perPod: true },
  ]);
  const autoscaler = all.find((one) => isOfAutoscaler(one, manifest));
  const isSelecting = Object.keys(selector.matchLabels).length > 0;
  return {
    kind: kind as WorkloadKind,
    replicas: autoscaler ? fewestOf(autoscaler) : kind === "DaemonSet" ? 1 : replicas,
    isAutoscaled: autoscaler !== undefined,
    labels: own.labels,
    // One that selects by expressions alone finds its pods by all labels of its template, too.
    selector: isSelecting ? selector.matchLabels : own.labels,
    annotations: own.annotations,
    ...(serviceName !== undefined && { serviceName }),
    terminationGracePeriodSeconds: pod.terminationGracePeriodSeconds,
    permissions: permissionsOf(pod.serviceAccountName, all),
    ...(model.keepsData !== undefined && { keepsData: model.keepsData }),
    ...(model.operated && { operated: model.operated }),
    initContainers: pod.initContainers.map(container),
    containers: pod.containers.map(container),
    volumes: Object.fromEntries([...claims, ...Object.entries(volumesOf(pod, all))]),
    calls: model.calls,
  };
}

const Autoscaler = z.object({
  minReplicas: z.number().default(1),
  scaleTargetRef: z.object({ kind: z.string(), name: z.string() }),
});

function isOfAutoscaler(one: Manifest, { kind, metadata }: Manifest): boolean {
  if (one.kind !== "HorizontalPodAutoscaler") return false;
  const of = Autoscaler.safeParse(one["spec"]).data?.scaleTargetRef;
  return of?.kind === kind && of.name === metadata.name;
}

const fewestOf = (autoscaler: Manifest): number =>
  Autoscaler.safeParse(autoscaler["spec"]).data?.minReplicas ?? 1;

/** A pod's volumes by their names, but those of a StatefulSet's claims. `all`: the manifests, which may have its claims. */
export const volumesOf = (
  { volumes }: z.output<typeof PodSpec>,
  all: readonly Manifest[],
): Readonly<Record<string, VolumeSpec>> =>
  Object.fromEntries(volumes.map((one) => [one.name, volumeOf(one, all)]));

function volumeOf(
  { configMap, secret, persistentVolumeClaim, emptyDir }: z.output<typeof Volume>,
  all: readonly Manifest[],
): VolumeSpec {
  if (configMap) return { type: "configMap", ...configMap };
  if (secret) {
    const { secretName: name, ...rest } = secret;
    return { type: "secret", name, ...rest };
  }
  if (persistentVolumeClaim) {
    const name = persistentVolumeClaim.claimName;
    const claim = all.find((one) => one.kind === "PersistentVolumeClaim" && one.metadata.name === name);
    const size = ClaimSpec.safeParse(claim?.["spec"]).data?.resources.requests.storage;
    return { type: "claim", name, size, perPod: false };
  }
  return { type: emptyDir ? "emptyDir" : "other" };
}

const Rules = z
  .array(z.object({ resources: z.array(z.string()).default([]), verbs: z.array(z.string()).default([]) }))
  .catch([]);

/** The rules of the roles that the manifests bind an account to; its namespace's default account has none. */
function permissionsOf(account: string | undefined, all: readonly Manifest[]): WorkloadSpec["permissions"] {
  if (account === undefined) return [];
  const isBound = ({ kind, subjects }: Manifest): boolean =>
    kind === "RoleBinding" &&
    Array.isArray(subjects) &&
    subjects.some((one) => isJsonObject(one) && one["kind"] === "ServiceAccount" && one["name"] === account);
  return all.filter(isBound).flatMap(({ roleRef }) => {
    const { kind, name } = isJsonObject(roleRef) ? roleRef : {};
    const role = all.find((one) => one.kind === kind && one.metadata.name === name);
    return Rules.parse(role?.["rules"] ?? []);
  });
}
