import {
  type Cluster,
  harnessNamespace,
  type Kind,
  type KubeObject,
  kinds,
  managedLabels,
} from "@microremed/cluster";
import type { Departures } from "./departures.ts";
import { digestOf } from "./digest.ts";

const kind = (apiVersion: string, name: string): Kind => ({ apiVersion, kind: name });

/** What a remedy with more rights than it should have might change: nothing here changes by itself. */
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
export async function readOutside(cluster: Cluster): Promise<Departures> {
  const lists = await Promise.all(outsideKinds.map((one) => cluster.list(one, {})));
  const arenas = new Set([
    harnessNamespace,
    ...(lists[0] ?? []).filter(isManaged).map(({ metadata }) => metadata.name),
  ]);
  const objects = lists
    .flat()
    .filter((object) => !isManaged(object) && !arenas.has(object.metadata.namespace ?? ""));
  return Object.fromEntries(objects.map((object) => [pathOf(object), digestOf(object)]));
}

const isManaged = ({ metadata }: KubeObject): boolean => metadata.labels?.[label] === owner;

function pathOf({ kind, metadata }: KubeObject): string {
  return [kind, metadata.namespace, metadata.name].filter((part) => part !== undefined).join("/");
}
