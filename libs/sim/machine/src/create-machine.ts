import type { EventLoop } from "@microremed/sim-time";
import type { Machine, PodSandbox } from "./machine.ts";

/** An empty machine. Lookups by address and name stay fast while the kubelet adds and removes sandboxes. */
export function createMachine({ keep }: Pick<EventLoop, "keep">): Machine {
  const byIp = new Map<string, PodSandbox>();
  const byHost = new Map<string, Set<PodSandbox>>();
  const byPod = new Map<string, PodSandbox>();
  const podKey = ({ namespace, name }: { namespace: string; name: string }): string => `${namespace}/${name}`;

  /** The map of sandboxes is the machine's public face, so it keeps the indexes itself. */
  class Sandboxes extends Map<string, PodSandbox> {
    override set(uid: string, sandbox: PodSandbox): this {
      this.delete(uid);
      if (!sandbox.hostNetwork) byIp.set(sandbox.ip, sandbox);
      else byHost.set(sandbox.ip, (byHost.get(sandbox.ip) ?? new Set()).add(sandbox));
      byPod.set(podKey(sandbox), sandbox);
      return super.set(uid, sandbox);
    }
    override delete(uid: string): boolean {
      const sandbox = this.get(uid);
      if (!sandbox) return false;
      if (byIp.get(sandbox.ip) === sandbox) byIp.delete(sandbox.ip);
      byHost.get(sandbox.ip)?.delete(sandbox);
      if (byPod.get(podKey(sandbox)) === sandbox) byPod.delete(podKey(sandbox));
      return super.delete(uid);
    }
    override clear(): void {
      byIp.clear();
      byHost.clear();
      byPod.clear();
      super.clear();
    }
  }

  return {
    sandboxes: keep(new Sandboxes()),
    byIp: (ip) => byIp.get(ip),
    onHost: (ip) => byHost.get(ip) ?? [],
    byPod: (namespace, name) => byPod.get(podKey({ namespace, name })),
  };
}
