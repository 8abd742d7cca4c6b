import { type DnsSpec, type PodSandbox, resolverOf } from "@microremed/sim-machine";
import type { KubeletContext } from "./context.ts";
import { hostNameOf, nameTooLong } from "./host-name.ts";
import type { PodRecord } from "./pod-record.ts";
import { mountVolumes } from "./pod-volumes.ts";

/** A sandbox that can't be made, as the pod's event says it. */
interface SandboxFailure {
  readonly reason: string;
  readonly message: string;
}

/** Puts the pod's sandbox on the machine: its volumes and its address. Returns why it can't, if it can't. */
export function openSandbox(ctx: KubeletContext, record: PodRecord): SandboxFailure | undefined {
  const { namespace, name, uid, node, pod } = record;
  const mounted = mountVolumes(ctx, pod);
  if ("error" in mounted) return { reason: "FailedMount", message: mounted.error };
  const host = hostNameOf(pod, node);
  const unnamed = nameTooLong(host.hostname);
  if (unnamed !== undefined)
    return { reason: "FailedCreatePodSandBox", message: `Failed to create pod sandbox: ${unnamed}` };
  const { keep } = ctx.loop;
  const hostNetwork = Boolean(pod.spec.hostNetwork);
  record.sandbox = keep<PodSandbox>({
    namespace,
    name,
    uid,
    ...host,
    ip: hostNetwork ? ctx.hostIp(node) : ctx.ips.take(node),
    hostNetwork,
    nodeName: node,
    labels: pod.metadata.labels ?? {},
    containers: keep(new Map()),
    volumes: mounted.volumes,
    ...(hasOwnResolver(pod.spec) && { resolver: resolverOf(namespace, pod.spec) }),
    netem: keep([]),
    drops: keep([]),
  });
  ctx.machine.sandboxes.set(uid, record.sandbox);
  return undefined;
}

/** Whether a pod's resolver is another than most pods have. */
const hasOwnResolver = ({ dnsPolicy, dnsConfig, hostNetwork }: DnsSpec): boolean =>
  dnsConfig !== undefined || (dnsPolicy ?? "ClusterFirst") !== "ClusterFirst" || hostNetwork === true;

/** Takes the pod's sandbox off the machine with everything that runs in it. */
export function closeSandbox({ machine, ips }: KubeletContext, record: PodRecord): void {
  const { sandbox } = record;
  if (!sandbox) return;
  sandbox.containers.clear();
  machine.sandboxes.delete(record.uid);
  if (!sandbox.hostNetwork) ips.free(sandbox.ip);
  record.sandbox = undefined;
}
