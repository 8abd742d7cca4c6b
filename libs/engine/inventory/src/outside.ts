import {
  type Cluster,
  harnessNamespace,
  type Kind,
  type KubeObject,
  kinds,
  managedLabels,
  nameServerConfig,
  webhooksOf,
} from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { corefileWithout, parseCorefile } from "@microremed/kube-rules";
import type { Departures } from "./departures.ts";
import { digestOf } from "./digest.ts";

const kind = (apiVersion: string, name: string): Kind => ({ apiVersion, kind: name });

/** What a remedy with more rights than it should have might change: it does not change by itself. */
const outsideKinds: readonly Kind[] = [
  kinds.namespace,
  kind("v1", "Node"),
  kind("v1", "PersistentVolume"),
  kinds.clusterRole,
  kinds.clusterRoleBinding,
  kind("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"),
  kind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"),
  kinds.deployment,
  kinds.daemonSet,
  kinds.statefulSet,
  kinds.cronJob,
  kinds.service,
  kinds.networkPolicy,
];

const [[label, owner] = ["", ""]] = Object.entries(managedLabels);

/** The cluster without its arenas and without what is the harness's: kind/namespace/name -> digest. */
export async function readOutside(cluster: Pick<Cluster, "list" | "ownNameServer">): Promise<Departures> {
  const lists = await Promise.all(outsideKinds.map((one) => cluster.list(one, {})));
  const arenas = new Set([
    harnessNamespace,
    ...(lists[0] ?? []).filter(isManaged).map(({ metadata }) => metadata.name),
  ]);
  const ownWebhooks = new Set([...arenas].map(webhooksOf));
  const objects = lists
    .flat()
    .filter((object) => !isManaged(object) && !arenas.has(namespaceOf(object)))
    // They act on the arena, by which they are compared.
    .filter(
      ({ kind = "", metadata }) => !(kind.endsWith("WebhookConfiguration") && ownWebhooks.has(metadata.name)),
    );
  if (cluster.ownNameServer) objects.push(...(await readNames(cluster, arenas)));
  return Object.fromEntries(
    objects.map((object) => [
      pathOf(object),
      digestOf(withoutReservations(withoutConditions(object), arenas)),
    ]),
  );
}

/** A volume is of its claim's. */
function namespaceOf({ kind, metadata, spec }: KubeObject): string {
  const claim = kind === "PersistentVolume" && isJsonObject(spec) ? spec["claimRef"] : undefined;
  return String((isJsonObject(claim) ? claim["namespace"] : metadata.namespace) ?? "");
}

/** The name server's configuration without what it says of names of arenas, which their oracles judge. */
async function readNames(cluster: Pick<Cluster, "list">, arenas: ReadonlySet<string>): Promise<KubeObject[]> {
  const { namespace, name, key } = nameServerConfig;
  const all: readonly (KubeObject & { readonly data?: Readonly<Record<string, string>> })[] =
    await cluster.list(kinds.configMap, { namespace });
  return all.flatMap((object) => {
    if (object.metadata.name !== name) return [];
    const text = [...arenas].reduce(corefileWithout, object.data?.[key] ?? "");
    return [{ ...object, data: { ...object.data, [key]: meaningOf(text) } }];
  });
}

/** Equal for two Corefiles that differ in blanks and comments alone. */
function meaningOf(corefile: string): string {
  try {
    const blocks = parseCorefile(corefile).map(({ zones, directives }) => ({
      zones,
      directives: directives.map(({ name, args, block }) => ({ name, args, block })),
    }));
    return JSON.stringify(blocks);
  } catch {
    return corefile;
  }
}

/** Taints by which a cluster's own controller says what a kubelet reports of its node, and that it is cordoned. */
const conditionTaints = new Set(
  ["not-ready", "unreachable", "memory-pressure", "disk-pressure", "pid-pressure"]
    .concat(["network-unavailable", "unschedulable"])
    .map((name) => `node.kubernetes.io/${name}`),
);

/** A node that is short of memory for a moment is what it was. That it is cordoned is in its `unschedulable`, too. */
function withoutConditions(object: KubeObject): KubeObject {
  const { spec } = object;
  if (object.kind !== "Node" || !isJsonObject(spec) || !Array.isArray(spec["taints"])) return object;
  const { taints: _, ...others } = spec;
  const taints = spec["taints"].filter(
    (one) => !isJsonObject(one) || !conditionTaints.has(String(one["key"])),
  );
  return { ...object, spec: { ...others, ...(taints.length > 0 && { taints }) } };
}

/** Of a node what it is reserved for arenas by: taints with the name of one as their value, and labels with those keys or values. */
function withoutReservations(object: KubeObject, arenas: ReadonlySet<string>): KubeObject {
  const { spec, metadata } = object;
  if (object.kind !== "Node") return object;
  const isFree = ([, value]: readonly [string, unknown]): boolean => !arenas.has(String(value));
  const labels = Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(isFree));
  const bare = { ...object, metadata: { ...metadata, ...(metadata.labels && { labels }) } };
  if (!isJsonObject(spec) || !Array.isArray(spec["taints"])) return bare;
  const { taints: _, ...others } = spec;
  const taints = spec["taints"].filter((one) => !isJsonObject(one) || isFree(["", one["value"]]));
  return { ...bare, spec: { ...others, ...(taints.length > 0 && { taints }) } };
}

const isManaged = ({ metadata }: KubeObject): boolean => metadata.labels?.[label] === owner;

function pathOf({ kind, metadata }: KubeObject): string {
  return [kind, metadata.namespace, metadata.name].filter((part) => part !== undefined).join("/");
}
