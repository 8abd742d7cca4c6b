import { type Environment, renderManifests } from "@microremed/catalogue";
import type { KubeObject, Pod, Workload } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { normalise } from "../normalise.ts";
import type { ArenaObjects } from "../read-arena.ts";
import type { ArenaRecord } from "../record.ts";

/** A healthy arena of an environment as an API server would have it, with pods and what owns them, on two nodes. */
export function anArena(environment: Environment, namespace = environment.namespace): ArenaObjects {
  const declared = renderManifests(environment, { namespace })
    .filter(({ kind }) => kind !== "Namespace")
    .map((manifest) => withUid(structuredClone(manifest) as KubeObject));
  const workloads = declared.filter(
    ({ kind }) => kind === "Deployment" || kind === "StatefulSet",
  ) as Workload[];
  const made = workloads.flatMap((workload, index) => [
    ...(workload.kind === "Deployment" ? [setOf(workload)] : []),
    podOf(workload, index),
  ]);
  return { namespace, objects: [...declared, ...made], around: [], nodes: ["a", "b"].map(nodeOf) };
}

/** The record of an arena as it is. */
export function recordOf({ objects }: ArenaObjects): ArenaRecord {
  const own = objects.filter(({ metadata }) => metadata.ownerReferences === undefined);
  return { manifests: "", objects: own.map(normalise) };
}

/** The arena with one object changed: by its kind and name, or `Pod/<workload>` for the first pod of a workload. */
export function changed(
  arena: ArenaObjects,
  identity: string,
  change: (object: Record<string, unknown>) => void,
): ArenaObjects {
  const [kind = "", name = ""] = identity.split("/");
  const index = arena.objects.findIndex(
    (object) =>
      object.kind === kind && (object.metadata.name === name || object.metadata.name === `${name}-0`),
  );
  const object = arena.objects[index];
  if (object === undefined) throw new Error(`the arena has no ${identity}`);
  const copy = structuredClone(object);
  change(copy as Record<string, unknown>);
  return { ...arena, objects: arena.objects.with(index, copy) };
}

/** The arena without an object. */
export function without(arena: ArenaObjects, identity: string): ArenaObjects {
  const objects = arena.objects.filter(({ kind, metadata }) => `${kind}/${metadata.name}` !== identity);
  if (objects.length === arena.objects.length) throw new Error(`the arena has no ${identity}`);
  return { ...arena, objects };
}

/** The arena with one more object in its namespace. */
export function withObject(arena: ArenaObjects, object: KubeObject): ArenaObjects {
  const { namespace = arena.namespace } = object.metadata;
  return {
    ...arena,
    objects: [...arena.objects, withUid({ ...object, metadata: { ...object.metadata, namespace } })],
  };
}

/** A part of an object, by names and numbers. Throws where there is none. */
export function partOf(object: unknown, ...path: (string | number)[]): Record<string, unknown> {
  let part: unknown = object;
  for (const step of path) part = (part as Record<string | number, unknown> | undefined)?.[step];
  if (!isJsonObject(part)) throw new Error(`there is no ${path.join(".")}`);
  return part as Record<string, unknown>;
}

const withUid = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, uid: `uid-${object.kind}-${object.metadata.name}` },
});

const ownedBy = ({ kind = "", metadata }: KubeObject) => ({
  ownerReferences: [{ kind, name: metadata.name, uid: metadata.uid ?? "", controller: true }],
});

function setOf(workload: Workload): KubeObject {
  const { name, namespace } = workload.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-1`,
      ...(namespace && { namespace }),
      uid: `uid-set-${name}`,
      labels: workload.spec?.template?.metadata?.labels ?? {},
      ...ownedBy(workload),
    },
    spec: {
      replicas: 1,
      selector: workload.spec?.selector,
      template: structuredClone(workload.spec?.template),
    },
  };
}

function podOf(workload: Workload, index: number): Pod {
  const { name, namespace } = workload.metadata;
  const owner = workload.kind === "Deployment" ? setOf(workload) : workload;
  const { metadata, spec } = structuredClone(workload.spec?.template ?? {});
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${name}-0`,
      ...(namespace && { namespace }),
      uid: `uid-pod-${name}`,
      labels: metadata?.labels ?? {},
      ...(metadata?.annotations && { annotations: metadata.annotations }),
      ...ownedBy(owner),
    },
    spec: { containers: [], ...spec, ...ownOf(workload), nodeName: "a" },
    status: { phase: "Running", podIP: `10.0.0.${index + 1}` },
  };
}

/** What a StatefulSet gives each of its pods beside its template. */
function ownOf({ kind, metadata: { name }, spec }: Workload): object {
  if (kind !== "StatefulSet") return {};
  const { serviceName, volumeClaimTemplates = [] } = spec as {
    readonly serviceName?: string;
    readonly volumeClaimTemplates?: readonly KubeObject[];
  };
  const { volumes = [] } = (spec?.template?.spec ?? {}) as { readonly volumes?: readonly object[] };
  const claims = volumeClaimTemplates.map(({ metadata: claim }) => ({
    name: claim.name,
    persistentVolumeClaim: { claimName: `${claim.name}-${name}-0` },
  }));
  return { hostname: `${name}-0`, subdomain: serviceName, volumes: [...volumes, ...claims] };
}

const nodeOf = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux" } },
});
