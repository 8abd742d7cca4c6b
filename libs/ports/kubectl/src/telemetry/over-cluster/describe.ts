import {
  customResourcesOf,
  type Event,
  type Kind,
  type KubeObject,
  kinds,
  type Pod,
  type Workload,
} from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { dump } from "js-yaml";
import { type ClusterQuestion, NotHere, type Place } from "./place.ts";

type Question = Extract<ClusterQuestion, { kind: "describe" }>;

/** What can be described, by the words that people use. What agents may not read is not among it. */
export const known: Readonly<Record<string, Kind>> = Object.fromEntries(
  (
    [
      ["pod po pods", kinds.pod],
      ["deployment deploy deployments", kinds.deployment],
      ["statefulset sts statefulsets", kinds.statefulSet],
      ["daemonset ds daemonsets", kinds.daemonSet],
      ["replicaset rs replicasets", kinds.replicaSet],
      ["service svc services", kinds.service],
      ["endpoints ep", kinds.endpoints],
      ["configmap cm configmaps", kinds.configMap],
      ["persistentvolumeclaim pvc persistentvolumeclaims", kinds.persistentVolumeClaim],
      ["networkpolicy netpol networkpolicies", kinds.networkPolicy],
      ["ingress ing ingresses", kinds.ingress],
      ["horizontalpodautoscaler hpa", kinds.horizontalPodAutoscaler],
      ["poddisruptionbudget pdb", kinds.podDisruptionBudget],
      ["resourcequota quota", kinds.resourceQuota],
      ["limitrange limits", kinds.limitRange],
      ["job jobs", kinds.job],
      ["cronjob cj cronjobs", kinds.cronJob],
      ["node no nodes", kinds.node],
    ] as const
  ).flatMap(([words, kind]) => words.split(" ").map((word): [string, Kind] => [word, kind])),
);

const maxPods = 20;
const maxEvents = 10;

/** One object in words: its spec and status without bookkeeping, its pods and its last events. */
export async function describe({ of }: Question, { cluster, namespace }: Place): Promise<string> {
  const [word = "", name = ""] = of.includes("/") ? of.split("/") : ["pod", of];
  const custom = Object.hasOwn(known, word) ? [] : await customResourcesOf(cluster, namespace);
  const kind =
    custom.find(({ plural, names }) => [plural, ...names].includes(word)) ??
    (Object.hasOwn(known, word) ? known[word] : undefined);
  if (!kind) {
    const all = [...Object.values(known), ...custom].map((each) => each.kind.toLowerCase());
    throw new NotHere(`There is no kind ${JSON.stringify(word)}. Kinds: ${[...new Set(all)].join(", ")}.`);
  }
  const isNode = kind === kinds.node;
  const object = await cluster.get(kind, isNode ? undefined : namespace, name);
  if (!object) throw new NotHere(await missing(kind, name, { cluster, namespace }));
  const [pods, events] = isNode
    ? [[], []]
    : await Promise.all([
        podsOf(object, { cluster, namespace }),
        eventsOf(kind, name, { cluster, namespace }),
      ]);
  return [
    `${kind.kind} ${name}`,
    dump(withoutBookkeeping(object), { lineWidth: 140, noRefs: true, sortKeys: true }).trimEnd(),
    ...(pods.length > 0 ? ["Pods:", ...pods] : []),
    ...(isNode ? [] : ["Events:", ...(events.length > 0 ? events : ["  none"])]),
  ].join("\n");
}

async function missing(
  kind: Kind,
  name: string,
  { cluster, namespace }: Pick<Place, "cluster" | "namespace">,
) {
  const there = await cluster.list(kind, kind === kinds.node ? {} : { namespace });
  const names = there.map(({ metadata }) => metadata.name).slice(0, 40);
  return `There is no ${kind.kind.toLowerCase()} ${JSON.stringify(name)}. There are: ${names.join(", ") || "none"}.`;
}

/** Fields of the metadata that say nothing of how the object works. */
const kept = [
  "creationTimestamp",
  "deletionTimestamp",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
];
const noise = /last-applied-configuration|^deprecated\.|^control-plane\.alpha/;

function withoutBookkeeping({ metadata, apiVersion: _version, kind: _kind, ...rest }: KubeObject): object {
  const meta = Object.fromEntries(
    Object.entries(metadata)
      .filter(([field]) => kept.includes(field))
      .map(([field, value]) => [field, field === "annotations" ? withoutNoise(value) : value])
      .filter(([, value]) => !isJsonObject(value) || Object.keys(value).length > 0),
  );
  return { metadata: meta, ...rest };
}

const withoutNoise = (annotations: unknown): object =>
  Object.fromEntries(
    Object.entries(isJsonObject(annotations) ? annotations : {}).filter(([name]) => !noise.test(name)),
  );

type Reading = Pick<Place, "cluster" | "namespace">;

async function podsOf(object: KubeObject, { cluster, namespace }: Reading): Promise<string[]> {
  const selector = selectorOf(object);
  if (selector === undefined) return [];
  const labelSelector = Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  const more = pods.length > maxPods ? [`  and ${pods.length - maxPods} more`] : [];
  return [...pods.slice(0, maxPods).map(podLine), ...more];
}

function selectorOf(object: KubeObject): Readonly<Record<string, string>> | undefined {
  const spec = object["spec"];
  if (!isJsonObject(spec) || !isJsonObject(spec["selector"])) return undefined;
  const labels = (object as Workload).spec?.selector?.matchLabels ?? spec["selector"];
  const plain = Object.entries(labels).filter(([, value]) => typeof value === "string");
  return plain.length > 0 ? Object.fromEntries(plain as [string, string][]) : undefined;
}

function podLine({ metadata, status, spec }: Pod): string {
  const states = (status?.containerStatuses ?? []).map(({ name, ready, restartCount = 0, state }) => {
    const why = state?.waiting?.reason ?? state?.terminated?.reason;
    return `${name} ${ready ? "ready" : `not ready${why ? ` (${why})` : ""}`}, ${restartCount} restarts`;
  });
  return `  ${metadata.name} ${status?.phase ?? "Unknown"} on ${spec?.nodeName ?? "no node"}: ${states.join("; ") || "no container"}`;
}

async function eventsOf(kind: Kind, name: string, { cluster, namespace }: Reading): Promise<string[]> {
  const fieldSelector = `involvedObject.name=${name}`;
  const events: readonly Event[] = await cluster.list(kinds.event, { namespace, fieldSelector });
  return events
    .filter(({ involvedObject }) => involvedObject?.kind === kind.kind)
    .filter(({ involvedObject }) => !involvedObject?.apiVersion?.startsWith("chaos-mesh.org/"))
    .map((event) => ({ at: String(event["lastTimestamp"] ?? event["eventTime"] ?? ""), event }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(-maxEvents)
    .map(({ at, event }) => `  ${at} ${event["type"]} ${event["reason"]}: ${event["message"]}`);
}
