import { dropLoad, isLoadFollowed, listLoadOrders, namedLoad, orderLoad } from "@microremed/catalogue";
import { kinds } from "@microremed/cluster";
import type { Baseline, LoadOrder, LoadPattern } from "@microremed/contracts";
import { isLate, terminal, waitFor } from "@microremed/core";
import type { ArenaContext } from "./arena.ts";

const name = "load";
/** Cluster time, ms, until an arena's generators have taken an order. */
const followedWithinMs = 30_000;
const pollMs = 500;

/**
 * Makes the arena's load follow a pattern, whose times count from `origin` (cluster time, ms), and waits until it does.
 * Throws `load-not-followed` (terminal): no generator on the cluster follows orders; `invalid-request` (terminal): the
 * environment has no load of the pattern's name.
 */
export async function setLoad(
  arena: ArenaContext,
  pattern: LoadPattern,
  seed: string,
  origin: number,
): Promise<LoadOrder> {
  const { cluster, namespace, environment, signal } = arena;
  namedLoad(environment.load, pattern.load);
  const order = { pattern, seed, origin };
  await arena.assertLease();
  await orderLoad(arena, name, order);
  const what = `the load of namespace ${namespace} to follow its order`;
  const options = { clock: cluster.clock, what, timeoutMs: followedWithinMs, intervalMs: pollMs, signal };
  try {
    await waitFor(options, async () => ((await isLoadFollowed(arena, name)) ? true : undefined));
  } catch (error) {
    if (!isLate(error)) throw error;
    await dropLoad(arena, name);
    throw terminal("load-not-followed", `cluster ${cluster.name}: ${error.message}`);
  }
  return order;
}

/** Takes away every order of the arena: its load is the environment's own again. */
export async function removeLoad({ cluster, namespace }: ArenaContext): Promise<void> {
  for (const { metadata } of await listLoadOrders({ cluster, namespace }))
    await cluster.delete(kinds.configMap, metadata.namespace, metadata.name);
}

/** A baseline that was measured at `factor` times the environment's own rate, for a load that follows an order. */
export function underLoad(baseline: Baseline, load: LoadOrder, factor: number): Baseline {
  const edges = baseline.edges?.map((edge) => ({ ...edge, perSecond: edge.perSecond / factor }));
  return { ...baseline, ...(edges && { edges }), load };
}

/** The same system under its own load. */
export function atUsualLoad({ load: _, ...baseline }: Baseline): Baseline {
  return baseline;
}
