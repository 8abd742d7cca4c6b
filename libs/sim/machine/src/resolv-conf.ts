import type { PodSandbox } from "./machine.ts";

/** Address of the cluster's DNS, as kubeadm lays it out in the service range. */
export const clusterDns = "10.96.0.10";
/** Address that a chaos DNS server has in the simulation. */
export const chaosDns = "10.96.0.53";

/** The pod's resolv.conf: the kubelet makes it once, for the sandbox. */
export function resolvConf({ namespace }: PodSandbox, nameserver: string): string {
  return [
    `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local`,
    `nameserver ${nameserver}`,
    "options ndots:5",
  ].join("\n");
}
