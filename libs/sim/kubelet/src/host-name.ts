import type { PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";

/** Characters that Linux takes in a host's name. */
const longest = 63;

/** What the host of a pod on `node` is called inside the pod. */
export function hostNameOf(
  { metadata, spec }: KubeObject,
  node: string,
): Pick<PodSandbox, "hostname" | "domain"> {
  if (spec.hostNetwork) return { hostname: node };
  const hostname: string = spec.hostname || metadata.name.slice(0, longest).replace(/[-.]+$/, "");
  if (!spec.subdomain) return { hostname };
  return { hostname, domain: `${spec.subdomain}.${metadata.namespace}.svc.cluster.local` };
}
