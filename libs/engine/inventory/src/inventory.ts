import {
  type Cluster,
  chaosKinds,
  type Kind,
  type KubeObject,
  kinds,
  managedLabels,
} from "@microremed/cluster";

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

/** Every object of the namespace that has no owner and the cluster does not put there by itself. */
export async function readInventory(cluster: Cluster, namespace: string): Promise<KubeObject[]> {
  const lists = await Promise.all(arenaKinds.map((kind) => cluster.list(kind, { namespace })));
  return ownObjects(lists.flat());
}

/** Of the objects of a namespace those that have no owner and the cluster does not put there by itself. */
export function ownObjects(objects: readonly KubeObject[]): KubeObject[] {
  const services = new Set(
    objects.filter(({ kind }) => kind === "Service").map(({ metadata }) => metadata.name),
  );
  // The endpoints of a Service are the cluster's; without one a client made them.
  const isOfService = ({ kind, metadata }: KubeObject): boolean =>
    kind === "Endpoints" && services.has(metadata.name);
  return objects.filter(
    (object) =>
      !isOwned(object) && !isOfTheCluster(object) && !isOfTheHarness(object) && !isOfService(object),
  );
}

/** `Deployment/cart`: names an object within its namespace. */
export function identityOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}

/** Which controllers make objects of a kind. Any other owner is a disguise. */
const makers: Readonly<Record<string, readonly string[]>> = {
  Pod: ["ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController"],
  ReplicaSet: ["Deployment"],
  Job: ["CronJob"],
  ...Object.fromEntries(chaosKinds.map(({ kind }) => [kind, ["Schedule", "Workflow", "WorkflowNode"]])),
};

function isOwned({ kind = "", metadata }: KubeObject): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ controller, kind: owner }) => controller && makers[kind]?.includes(owner),
  );
}

function isOfTheCluster({ kind, metadata, type }: KubeObject): boolean {
  const { name, namespace } = metadata;
  if (kind === "ServiceAccount") return name === "default";
  if (kind === "ConfigMap") return name === "kube-root-ca.crt";
  if (kind === "Secret") return type === "kubernetes.io/service-account-token";
  return kind === "Service" && name === "kubernetes" && namespace === "default";
}

/** Only of kinds that an agent can't create: with its own objects the label proves nothing. */
function isOfTheHarness({ kind, metadata }: KubeObject): boolean {
  if (kind !== "Role" && kind !== "RoleBinding") return false;
  const [[label, value] = ["", ""]] = Object.entries(managedLabels);
  return metadata.labels?.[label] === value;
}
