import { customKinds, type Noise, type NoiseContext } from "@microremed/catalogue";
import { kinds } from "@microremed/cluster";
import type { PlannedNoise } from "@microremed/contracts";
import { isLate, terminal, waitFor } from "@microremed/core";
import {
  type ArenaRecord,
  differenceOf,
  normalise,
  readInventory,
  readRecord,
  writeRecord,
} from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";
import { resetArena } from "./reset.ts";
import { sleepUntil } from "./sleep-until.ts";

/** Cluster time, ms, until a noise is as it is to be. */
const settleMs = 180_000;
const pollMs = 2_000;

/**
 * Places the noises of an episode, the oldest first, and waits until each is so old as it is to be. What they have made of
 * the arena is noted beside its record, so that no judge takes it for a remedy's or a fault's doing. Throws
 * `environment-unhealthy` (terminal) that names the noise that did not come about.
 */
export async function placeNoise(arena: ArenaContext, noises: readonly PlannedNoise[]): Promise<void> {
  if (noises.length === 0) return;
  const { cluster, namespace, signal } = arena;
  const { clock } = cluster;
  const record = await recordOf(arena);
  const revisions = (await cluster.list(kinds.replicaSet, { namespace })).map(
    ({ metadata }) => metadata.uid ?? "",
  );
  const oldest = Math.max(...noises.map(({ ago }) => ago));
  const startedAt = await clock.now();
  let readyAt = startedAt;
  for (const one of noises.toSorted((a, b) => b.ago - a.ago)) {
    await sleepUntil(clock, startedAt + (oldest - one.ago) * 1000, signal);
    await arena.assertLease();
    await place(arena, one);
    readyAt = Math.max(readyAt, (await clock.now()) + one.ago * 1000);
  }
  await sleepUntil(clock, readyAt, signal);
  const { extra, changed } = differenceOf(
    record.objects,
    await readInventory(cluster, namespace, customKinds(arena.environment)),
  );
  const objects = [...extra, ...changed.map(({ live }) => live)].map(normalise);
  await writeRecord(cluster, namespace, { ...record, noise: { objects, revisions } });
}

async function place(arena: ArenaContext, planned: PlannedNoise): Promise<void> {
  const [noise, context] = placed(arena, planned);
  const where = planned.target === "" ? "" : ` on ${planned.target}`;
  try {
    await noise.place(context);
    await waitFor(
      {
        clock: arena.cluster.clock,
        what: `the noise ${noise.name}${where} to settle`,
        timeoutMs: settleMs,
        intervalMs: pollMs,
        signal: arena.signal,
      },
      async () => ((await noise.isSettled(context)) ? true : undefined),
    );
  } catch (error) {
    if (!isLate(error)) throw error;
    throw terminal(
      "environment-unhealthy",
      `the noise ${noise.name}${where} did not come about: ${error.message}`,
    );
  }
}

/** Takes away the noises of an episode, and whatever a run that was interrupted may have left of them. */
export async function removeNoise(
  arena: ArenaContext,
  noises: readonly PlannedNoise[],
  timeoutMs: number,
): Promise<void> {
  if (noises.length === 0) return;
  await removeStray(arena, noises);
  await resetArena(arena, await recordOf(arena), timeoutMs);
}

/** What no comparison of objects finds. */
export async function removeStray(arena: ArenaContext, noises: readonly PlannedNoise[]): Promise<void> {
  for (const planned of noises) {
    const [noise, context] = placed(arena, planned);
    await noise.remove?.(context);
  }
}

function placed(
  { catalogue, cluster, namespace, environment, signal }: ArenaContext,
  { noise, target, parameters }: PlannedNoise,
): [Noise, NoiseContext] {
  const place = { cluster, namespace, environment, target, signal };
  return [catalogue.noises.get(noise), { ...place, ...(parameters && { parameters }) }];
}

async function recordOf({ cluster, namespace }: ArenaContext): Promise<ArenaRecord> {
  const record = await readRecord(cluster, namespace);
  if (record) return record;
  throw terminal(
    "arena-lost",
    `cluster ${cluster.name} has no record of namespace ${namespace}; was the cluster replaced?`,
  );
}
