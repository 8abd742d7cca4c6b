/**
 * Who acts on an annotation or a label by its name. `none`: bookkeeping, and names without a domain, which Kubernetes
 * leaves to users. `cluster`: Kubernetes itself (bandwidth, seccomp, autoscaling). `others`: anything that may be
 * installed in the cluster (meshes, injectors).
 */
export type Reader = "none" | "cluster" | "others";

/** A name without a domain: Kubernetes leaves these to users. */
export const isOfUsers = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name);

/** Names that say something to people and clients, and that nothing acts on. */
const bookkeeping = [
  /^kubectl\.kubernetes\.io\/(restartedAt|default-container|default-logs-container|last-applied-configuration)$/,
  /^kubernetes\.io\/(change-cause|description|limit-ranger|psp)$/,
  /^deployment\.kubernetes\.io\//,
  /^app\.kubernetes\.io\//,
];
const ofTheCluster = /^([a-z0-9-]+\.)*(kubernetes|k8s)\.io\//;

/** What no list knows is not taken for harmless. */
export function readBy(name: string): Reader {
  if (isOfUsers(name) || bookkeeping.some((pattern) => pattern.test(name))) return "none";
  return ofTheCluster.test(name) ? "cluster" : "others";
}
