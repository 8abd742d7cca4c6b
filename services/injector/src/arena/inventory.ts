import { type Cluster, chaosKinds, type Kind, type KubeObject, kinds, managedLabels } from "@microremed/kube";

/** What somebody may put into a namespace, in an order in which it can be created. */
const arenaKinds: readonly Kind[] = [
  kinds.serviceAccount,
  kinds.role,
  kinds.roleBinding,
  kinds.configMap,
  kinds.secret,
  kinds.persistentVolumeClaim,
  kinds.service,
  kinds.networkPolicy,
  kinds.ingress,
  kinds.podDisruptionBudget,
  kinds.horizontalPodAutoscaler,
  kinds.statefulSet,
  kinds.deployment,
  kinds.daemonSet,
  kinds.replicaSet,
  kinds.job,
  kinds.cronJob,
  kinds.pod,
  ...chaosKinds,
];

/** Every object of the namespace that nobody owns and the cluster does not put there by itself. */
export async function readInventory(cluster: Cluster, namespace: string): Promise<KubeObject[]> {
  const lists = await Promise.all(arenaKinds.map((kind) => cluster.list(kind, { namespace })));
  return lists
    .flat()
    .filter((object) => !isOwned(object) && !isOfTheCluster(object) && !isOfTheHarness(object));
}

export function identityOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}

function isOwned({ metadata }: KubeObject): boolean {
  return (metadata.ownerReferences ?? []).length > 0;
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
