import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { kinds } from "@microremed/cluster";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { AppError, silentLogger } from "@microremed/core";
import type { Machine } from "./machine.ts";
import { firewallChains, firewallOf } from "./pod-firewall.ts";

/** A cluster whose network policies are enforced. */
export interface PolicyOptions {
  /** An administrator's. */
  readonly kubeconfig: string;
  readonly machines: readonly Machine[];
  readonly dir: string;
  readonly say: (line: string) => void;
}

const everyMs = 500;

/**
 * Enforces NetworkPolicies on every node, as a network plug-in does, half a second after each change: the plug-in `bridge`
 * enforces none. Disposing ends it and leaves the rules.
 */
export async function enforcePolicies({
  kubeconfig,
  machines,
  dir,
  say,
}: PolicyOptions): Promise<AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const cluster = started.use(
    await connectCluster({ name: "real", kubeconfig, arenas: 1 }, { log: silentLogger }),
  );
  const file = join(dir, "pods.firewall");
  let current = "";
  const apply = async (): Promise<void> => {
    const [pods, namespaces, policies] = await Promise.all([
      cluster.list(kinds.pod, {}),
      cluster.list(kinds.namespace, {}),
      cluster.list(kinds.networkPolicy, {}),
    ]);
    const wanted = firewallOf({ pods, namespaces, policies });
    if (wanted === current) return;
    await writeFile(file, wanted);
    await Promise.all(
      machines.map((machine) => machine.run(["iptables-restore", "--noflush", "-w", "30", file])),
    );
    if (current === "") await Promise.all(machines.map(addJumps));
    current = wanted;
  };
  await apply();
  const stopping = new AbortController();
  const applying = (async () => {
    let trouble = "";
    while (!stopping.signal.aborted) {
      try {
        await apply();
        trouble = "";
      } catch (thrown) {
        const { message } = AppError.from(thrown);
        if (message !== trouble) say(`network policies: ${message}`);
        trouble = message;
      }
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  started.defer(async () => {
    stopping.abort();
    await applying;
  });
  return started.move();
}

async function addJumps(machine: Machine): Promise<void> {
  for (const [chain, own] of Object.entries(firewallChains))
    await machine.run(["iptables", "-w", "-I", chain, "1", "-j", own]);
}
