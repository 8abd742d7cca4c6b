import {
  type Cluster,
  chaosKinds,
  type Kind,
  type KubeObject,
  kinds,
  managedLabels,
} from "@microremed/cluster";

/** Kinds that a client may create in a namespace, in an order in which it can be created. */
const arenaKinds: readonly Kind[] = [
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
  const objects = lists.flat();
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

export function identityOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}

/** What controllers make of other objects. Any other object with an owner was disguised as such. */
const madeByControllers = new Set(["Pod", "ReplicaSet", "Job", ...chaosKinds.map(({ kind }) => kind)]);

function isOwned({ kind = "", metadata }: KubeObject): boolean {
  return madeByControllers.has(kind) && (metadata.ownerReferences ?? []).some(({ controller }) => controller);
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
