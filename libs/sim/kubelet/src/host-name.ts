import type { PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";

/** Characters that Linux takes in a host's name. */
const longest = 63;

/** Characters that Linux takes in the whole name of one. */
const longestWhole = 64;

/** What the host of a pod on `node` is called inside the pod. */
export function hostNameOf(
  { metadata, spec }: KubeObject,
  node: string,
): Pick<PodSandbox, "hostname" | "domain"> {
  if (spec.hostNetwork) return { hostname: node };
  const hostname: string = spec.hostname || metadata.name.slice(0, longest).replace(/[-.]+$/, "");
  if (!spec.subdomain) return { hostname };
  const domain = `${spec.subdomain}.${metadata.namespace}.svc.cluster.local`;
  return { hostname: spec.setHostnameAsFQDN ? `${hostname}.${domain}` : hostname, domain };
}

/** Why the kubelet can't give a host its name; undefined: it can. */
export function nameTooLong(hostname: string): string | undefined {
  if (hostname.length <= longestWhole) return undefined;
  const counts = `${longestWhole} characters is the max, ${hostname.length} characters requested`;
  return `failed to construct FQDN from pod hostname and cluster domain, FQDN ${hostname} is too long (${counts})`;
}
