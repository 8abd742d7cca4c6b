import type { PodSandbox } from "@microremed/sim-machine";
import type { KubeletContext } from "./context.ts";
import { hostNameOf } from "./host-name.ts";
import type { PodRecord } from "./pod-record.ts";
import { mountVolumes } from "./pod-volumes.ts";

/** Puts the pod's sandbox on the machine: its volumes and its address. Returns why it can't, if it can't. */
export function openSandbox(ctx: KubeletContext, record: PodRecord): string | undefined {
  const { namespace, name, uid, node, pod } = record;
  const mounted = mountVolumes(ctx, pod);
  if ("error" in mounted) return mounted.error;
  const { keep } = ctx.loop;
  const hostNetwork = Boolean(pod.spec.hostNetwork);
  record.sandbox = keep<PodSandbox>({
    namespace,
    name,
    uid,
    ...hostNameOf(pod, node),
    ip: hostNetwork ? ctx.hostIp(node) : ctx.ips.take(node),
    hostNetwork,
    nodeName: node,
    labels: pod.metadata.labels ?? {},
    containers: keep(new Map()),
    volumes: mounted.volumes,
    netem: keep([]),
    drops: keep([]),
  });
  ctx.machine.sandboxes.set(uid, record.sandbox);
  return undefined;
}

/** Takes the pod's sandbox off the machine with everything that runs in it. */
export function closeSandbox({ machine, ips }: KubeletContext, record: PodRecord): void {
  const { sandbox } = record;
  if (!sandbox) return;
  sandbox.containers.clear();
  machine.sandboxes.delete(record.uid);
  if (!sandbox.hostNetwork) ips.free(sandbox.ip);
  record.sandbox = undefined;
}
