import type { KubeObject } from "@microremed/cluster";
import { isLate, terminal, waitFor } from "@microremed/core";
import type { IncidentPart } from "@microremed/verification";
import type { ArenaContext } from "./arena.ts";
import { noteObjects, noting } from "./noting.ts";

/** Cluster time, ms, until a setting works. */
const settleMs = 300_000;
const pollMs = 1_000;

/**
 * Makes what the system is to have for the faults of an incident, beside what the environment declares, and waits until it
 * works. It is noted as part of the system: judges compare with it, and a restore takes it away. Throws
 * `environment-unhealthy` (terminal) that names the fault whose setting did not work in time.
 */
export async function placeSetting(arena: ArenaContext, parts: readonly IncidentPart[]): Promise<void> {
  const some = parts.filter(({ judged }) => judged.fault.setting);
  if (some.length === 0) return;
  const { namespace } = arena;
  const inArena = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, namespace },
  });
  for (const as of ["rewritten", "alternatives"] as const) {
    const objects = some.flatMap(({ judged, context }) => judged.fault[as]?.(context) ?? []);
    await noteObjects(arena, as, objects.map(inArena));
  }
  await noting(arena, "setting", async () => {
    for (const { judged, context } of some)
      for (const object of (await judged.fault.setting?.(context)) ?? []) {
        await arena.assertLease();
        await arena.cluster.apply(inArena(object));
      }
    for (const part of some) await awaitSetting(arena, part);
  });
}

async function awaitSetting(
  { cluster, signal }: ArenaContext,
  { judged, context }: IncidentPart,
): Promise<void> {
  const { fault } = judged;
  const what = `what ${fault.name} on ${context.target} is set in to work`;
  try {
    await waitFor(
      { clock: cluster.clock, what, timeoutMs: settleMs, intervalMs: pollMs, signal },
      async () => ((await fault.isSettled?.(context)) ?? true) || undefined,
    );
  } catch (error) {
    if (!isLate(error)) throw error;
    throw terminal("environment-unhealthy", error.message);
  }
}
