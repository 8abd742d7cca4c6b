import type { FieldType } from "../schema/field-type.ts";
import { structOf } from "../schema/models.ts";
import { findStruct } from "../schema/structs.ts";

/** How a strategic patch merges one field: Go's tags `patchStrategy` and `patchMergeKey`. */
export interface PatchTags {
  readonly strategy: string;
  readonly key?: string;
}

/** `field=key` for lists that merge by a key of their elements, `field` alone for sets of primitives. */
const merged: Readonly<Record<string, string>> = {
  ObjectMeta: "ownerReferences=uid finalizers",
  PodSpec: `containers=name initContainers=name ephemeralContainers=name volumes=name imagePullSecrets=name
    hostAliases=ip topologySpreadConstraints=topologyKey schedulingGates=name resourceClaims=name`,
  Container: "ports=containerPort env=name volumeMounts=mountPath volumeDevices=devicePath",
  EphemeralContainer: "ports=containerPort env=name volumeMounts=mountPath volumeDevices=devicePath",
  PodStatus: "conditions=type podIPs=ip hostIPs=ip resourceClaimStatuses=name",
  ContainerStatus: "volumeMounts=mountPath allocatedResourcesStatus=name",
  NamespaceStatus: "conditions=type",
  ServiceAccount: "secrets=name",
  ServiceSpec: "ports=port",
  ServiceStatus: "conditions=type",
  NodeSpec: "podCIDRs",
  NodeStatus: "conditions=type addresses=type",
  PersistentVolumeClaimStatus: "conditions=type",
  ReplicationControllerStatus: "conditions=type",
  DeploymentStatus: "conditions=type",
  ReplicaSetStatus: "conditions=type",
  StatefulSetStatus: "conditions=type",
  DaemonSetStatus: "conditions=type",
  JobStatus: "conditions=type",
  HorizontalPodAutoscalerStatus: "conditions=type",
  PodDisruptionBudgetStatus: "conditions=type",
  MutatingWebhookConfiguration: "webhooks=name",
  MutatingWebhook: "matchConditions=name",
  ValidatingWebhookConfiguration: "webhooks=name",
  ValidatingWebhook: "matchConditions=name",
};

/** What is not merged field by field, or only the fields that the patch names. */
const special: Readonly<Record<string, string>> = {
  "PodSpec.volumes": "merge,retainKeys",
  "PodSpec.resourceClaims": "merge,retainKeys",
  "PodStatus.resourceClaimStatuses": "merge,retainKeys",
  "DeploymentSpec.strategy": "retainKeys",
  "PodDisruptionBudgetSpec.selector": "replace",
};

const tags = new Map<string, PatchTags>([
  ...Object.entries(special).map(([field, strategy]) => [field, { strategy }] as const),
  ...Object.entries(merged).flatMap(([struct, fields]) =>
    fields.split(/\s+/).map((text) => {
      const [field, key] = text.split("=");
      const name = `${struct}.${field}`;
      return [name, { strategy: special[name] ?? "merge", ...(key !== undefined && { key }) }] as const;
    }),
  ),
]);

/** The tags of a field by the Go name of its struct, if it has any. */
export function patchTags(struct: string, field: string): PatchTags | undefined {
  return tags.get(`${struct}.${field}`);
}

const kindPrefixes = ["V1", "V2", "CoreV1"];

const roots = new Map<string, FieldType>();

/** Where the paths of a built-in kind begin. */
function rootOf(kind: string): FieldType {
  const known = roots.get(kind);
  if (known) return known;
  const models = kindPrefixes.map((prefix) => `${prefix}${kind}`);
  const root: FieldType = { kind: "struct", model: models.find((model) => findStruct(model)) ?? "" };
  roots.set(kind, root);
  return root;
}

const metadataType: FieldType = { kind: "struct", model: "V1ObjectMeta" };

/** The tags of the field at `path`: field names from the root of an object, without list indexes. */
function tagsAt(kind: string, path: readonly string[]): PatchTags | undefined {
  const isMetadata = path[0] === "metadata";
  const steps = isMetadata ? path.slice(1) : path;
  let at: FieldType = isMetadata ? metadataType : rootOf(kind);
  let model = "";
  for (const step of steps) {
    while (at.kind === "list") at = at.of;
    model = at.kind === "struct" ? at.model : "";
    const inner: FieldType | undefined =
      at.kind === "map" ? at.of : at.kind === "struct" ? findStruct(model)?.get(step) : undefined;
    if (!inner) return undefined;
    at = inner;
  }
  return patchTags(structOf(model), steps.at(-1) ?? "");
}

/** How a list merges: by a key of its elements, as a set of primitives, or (undefined) as a whole. */
export type ListMerge = { readonly key: string } | "set" | undefined;

/** Strategic merge metadata of Kubernetes' types. */
export function listMerge(kind: string, path: readonly string[]): ListMerge {
  const found = tagsAt(kind, path);
  if (!found?.strategy.startsWith("merge")) return undefined;
  return found.key === undefined ? "set" : { key: found.key };
}

/** Objects that a strategic patch replaces whole. */
export function replacesWhole(kind: string, path: readonly string[]): boolean {
  return tagsAt(kind, path)?.strategy === "replace";
}
