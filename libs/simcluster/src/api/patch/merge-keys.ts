/** How a list merges: by a key of its elements, as a set of primitives, or (undefined) as a whole. */
export type ListMerge = { readonly key: string } | "set" | undefined;

const named: ListMerge = { key: "name" };
const containerLists = new Set(["containers", "initContainers", "ephemeralContainers"]);

const byField: Readonly<Record<string, ListMerge>> = {
  containers: named,
  initContainers: named,
  ephemeralContainers: named,
  env: named,
  volumes: named,
  imagePullSecrets: named,
  resourceClaims: named,
  schedulingGates: named,
  webhooks: named,
  matchConditions: named,
  volumeMounts: { key: "mountPath" },
  volumeDevices: { key: "devicePath" },
  hostAliases: { key: "ip" },
  podIPs: { key: "ip" },
  hostIPs: { key: "ip" },
  topologySpreadConstraints: { key: "topologyKey" },
  conditions: { key: "type" },
  ownerReferences: { key: "uid" },
  finalizers: "set",
  podCIDRs: "set",
};

/** Strategic merge metadata of Kubernetes' types. `path`: field names from the root, without list indexes. */
export function listMerge(kind: string, path: readonly string[]): ListMerge {
  const field = path.at(-1) ?? "";
  const parent = path.at(-2) ?? "";
  if (field === "ports") {
    if (containerLists.has(parent)) return { key: "containerPort" };
    return kind === "Service" && parent === "spec" ? { key: "port" } : undefined;
  }
  if (field === "secrets") return kind === "ServiceAccount" ? named : undefined;
  if (field === "addresses") return kind === "Node" ? { key: "type" } : undefined;
  return byField[field];
}

/** Objects that a strategic patch replaces whole. */
export function replacesWhole(kind: string, path: readonly string[]): boolean {
  return kind === "PodDisruptionBudget" && path.join(".") === "spec.selector";
}
