import {
  type Cluster,
  chaosKinds,
  type Kind,
  type KubeObject,
  kinds,
  managedLabels,
} from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { isMadeFault, ownersAmong } from "./owners.ts";

/** Kinds that a client may create in a namespace, in an order in which it can be created. */
export const arenaKinds: readonly Kind[] = [
  kinds.serviceAccount,
  kinds.role,
  kinds.roleBinding,
  kinds.configMap,
  kinds.secret,
  kinds.persistentVolumeClaim,
  kinds.service,
  kinds.endpoints,
  kinds.networkPolicy,
  kinds.ingress,
  kinds.podDisruptionBudget,
  kinds.horizontalPodAutoscaler,
  kinds.controllerRevision,
  kinds.statefulSet,
  kinds.deployment,
  kinds.daemonSet,
  kinds.replicaSet,
  kinds.replicationController,
  kinds.job,
  kinds.cronJob,
  kinds.pod,
  ...chaosKinds,
];

/** The ConfigMap that the cluster gives every namespace, with what its pods know the API server by. */
export const isRootCertificates = ({ kind, metadata }: KubeObject): boolean =>
  kind === "ConfigMap" && metadata.name === "kube-root-ca.crt";

/**
 * Every object of the namespace that nothing else there made and the cluster does not put there by itself. `custom`: further
 * kinds, those of custom resources.
 */
export async function readInventory(
  cluster: Cluster,
  namespace: string,
  custom: readonly Kind[] = [],
): Promise<KubeObject[]> {
  const all = [...custom, ...arenaKinds];
  const lists = await Promise.all(all.map((kind) => cluster.list(kind, { namespace })));
  return ownObjects(lists.flat());
}

/**
 * Of the objects of a namespace those that nothing else there made and the cluster does not put there by itself. What
 * only says that it is owned is among them.
 */
export function ownObjects(objects: readonly KubeObject[]): KubeObject[] {
  const services = new Set(
    objects.filter(({ kind }) => kind === "Service").map(({ metadata }) => metadata.name),
  );
  // The endpoints of a Service are the cluster's; without one a client made them.
  const isOfService = ({ kind, metadata }: KubeObject): boolean =>
    kind === "Endpoints" && services.has(metadata.name);
  const ownerOf = ownersAmong(objects);
  const tokens = legacyTokens(objects);
  return objects.filter(
    (object) =>
      ownerOf(object) === undefined &&
      !isMadeFault(object) &&
      !isOfTheCluster(object) &&
      !isOfTheHarness(object) &&
      !isOfService(object) &&
      !(object.kind === "Secret" && tokens.has(object.metadata.name)),
  );
}

/** `Deployment/cart`: names an object within its namespace. */
export function identityOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}

/**
 * Tokens that clusters before Kubernetes 1.24 make for every account, which lists them. Agents may not write accounts, so
 * that a token of their making is in no list.
 */
function legacyTokens(objects: readonly KubeObject[]): ReadonlySet<string> {
  const lists = objects.filter(({ kind }) => kind === "ServiceAccount").map(({ secrets }) => secrets);
  return new Set(
    lists.flatMap((list) =>
      Array.isArray(list) ? list.flatMap((one) => (isJsonObject(one) ? String(one["name"]) : [])) : [],
    ),
  );
}

function isOfTheCluster(object: KubeObject): boolean {
  const { kind, metadata } = object;
  const { name, namespace } = metadata;
  if (kind === "ServiceAccount") return name === "default";
  if (kind === "ConfigMap") return isRootCertificates(object);
  return kind === "Service" && name === "kubernetes" && namespace === "default";
}

/** Only of kinds that an agent can't create: with its own objects the label proves nothing. */
function isOfTheHarness({ kind, metadata }: KubeObject): boolean {
  if (kind !== "Role" && kind !== "RoleBinding") return false;
  const [[label, value] = ["", ""]] = Object.entries(managedLabels);
  return metadata.labels?.[label] === value;
}
