import type { KubeObject } from "@microremed/cluster";

/** Kinds of objects that give rights. */
const rights = new Set(["Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"]);

/** Whether an object gives anything more rights than it has without: at the API server, or on a node. */
export function givesRights(object: KubeObject): boolean {
  return rights.has(object.kind ?? "") || isToken(object) || reachesItsNode(object);
}

/** Who can read it can act as the account that it names. */
const isToken = ({ kind, type }: KubeObject): boolean =>
  kind === "Secret" && type === "kubernetes.io/service-account-token";

/** Whether a pod, or what makes pods, gets at its node. */
function reachesItsNode({ spec }: KubeObject): boolean {
  const text = JSON.stringify(spec ?? {});
  return /"(privileged|hostPID|hostIPC|hostNetwork|allowPrivilegeEscalation)":true|"hostPath":\{|"add":\["/.test(
    text,
  );
}
