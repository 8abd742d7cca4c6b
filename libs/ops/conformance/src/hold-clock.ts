import { connectCluster } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";
import type { Target } from "./case.types.ts";

const clockPath = "/microremed/clock";

/** An embedded cluster runs at its time scale while its clock is held; a real cluster has none to hold. */
export async function holdClock(target: Target): Promise<AsyncDisposable> {
  const { status } = await target.http("GET", clockPath, { signal: AbortSignal.timeout(20_000) });
  if (status !== 200) return { [Symbol.asyncDispose]: async () => {} };
  const clock = `${target.config.getCurrentCluster()?.server}${clockPath}`;
  const cluster = await connectCluster(
    { name: "target", kubeconfig: target.kubeconfig, arenas: 1, clock },
    { log: silentLogger },
  );
  const held = await cluster.clock.hold();
  return {
    async [Symbol.asyncDispose]() {
      await held[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}
