/**
 * Who acts on an annotation or a label by its name. `none`: bookkeeping, and names without a domain, which Kubernetes
 * leaves to users. `cluster`: Kubernetes itself (bandwidth, seccomp, autoscaling). `others`: anything that may be
 * installed in the cluster (meshes, injectors).
 */
export type Reader = "none" | "cluster" | "others";

/** Names that say something to people and clients, and that nothing acts on. */
const bookkeeping = [
  /^[A-Za-z0-9_-]+$/,
  /^kubectl\.kubernetes\.io\/(restartedAt|default-container|default-logs-container|last-applied-configuration)$/,
  /^kubernetes\.io\/(change-cause|description|limit-ranger|psp)$/,
  /^deployment\.kubernetes\.io\//,
  /^app\.kubernetes\.io\//,
];
const ofTheCluster = /^([a-z0-9-]+\.)*(kubernetes|k8s)\.io\//;

/** What no list knows is not taken for harmless. */
export function readBy(name: string): Reader {
  if (bookkeeping.some((pattern) => pattern.test(name))) return "none";
  return ofTheCluster.test(name) ? "cluster" : "others";
}
