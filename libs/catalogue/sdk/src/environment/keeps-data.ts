import type { Environment } from "./format.ts";

/** Protocols that only stores and brokers speak. */
const ofStores: ReadonlySet<string> = new Set(["redis", "mysql", "amqp", "nacos"]);

/**
 * Whether each replica of a workload keeps data of its own, so that one more of them splits it: what `keepsData` says,
 * else a StatefulSet, one with a claim, and one that others call as they call a store.
 */
export function keepsData({ workloads }: Pick<Environment, "workloads">, name: string): boolean {
  const workload = workloads[name];
  if (!workload) return false;
  const hasClaim = Object.values(workload.volumes).some(({ type }) => type === "claim");
  const isStore = Object.values(workloads).some(({ calls }) =>
    calls.some(({ to, protocol }) => to === name && ofStores.has(protocol)),
  );
  return workload.keepsData ?? (workload.kind === "StatefulSet" || hasClaim || isStore);
}
