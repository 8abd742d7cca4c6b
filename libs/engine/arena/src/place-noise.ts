import type { Noise, NoiseContext } from "@microremed/catalogue";
import type { PlannedNoise } from "@microremed/contracts";
import { isLate, terminal, waitFor } from "@microremed/core";
import { rewriteRecord } from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";
import { noting, recordOf } from "./noting.ts";
import { resetArena } from "./reset.ts";
import { sleepUntil } from "./sleep-until.ts";

/** Cluster time, ms, until a noise is as it is to be. */
const settleMs = 180_000;
const pollMs = 2_000;

/**
 * Places those noises of an episode that come before its first fault, the oldest first, and waits until each is so old as it
 * is to be. What they have made of the arena is noted beside its record, so that no judge takes it for a remedy's or a fault's
 * doing. Throws `environment-unhealthy` (terminal) that names the noise that did not come about.
 */
export async function placeNoise(arena: ArenaContext, noises: readonly PlannedNoise[]): Promise<void> {
  const before = noises.filter(({ ago }) => ago >= 0);
  if (before.length === 0) return;
  const { signal } = arena;
  const { clock } = arena.cluster;
  const oldest = Math.max(...before.map(({ ago }) => ago));
  const startedAt = await clock.now();
  let readyAt = startedAt;
  await noting(arena, "noise", async () => {
    for (const one of before.toSorted((a, b) => b.ago - a.ago)) {
      await sleepUntil(clock, startedAt + (oldest - one.ago) * 1000, signal);
      await arena.assertLease();
      await place(arena, one);
      readyAt = Math.max(readyAt, (await clock.now()) + one.ago * 1000);
    }
    await sleepUntil(clock, readyAt, signal);
  });
}

/** The noises of an episode that come after its first fault would. */
export interface NoisesToCome {
  /** Places those that are due before a moment, cluster time in ms, each at its time or at once if that has passed. */
  before(moment: number): Promise<void>;
  /**
   * Does some work that changes nothing, such as a measurement, and places meanwhile those that come due: how long the work takes
   * says nothing of when they come.
   */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Places the other noises as their times come. `origin`: cluster time of the first fault, or of when it would be, ms. It does not
 * wait until one is as it is to be: the agent may be asked meanwhile, as with a fault, and a fault may keep it from getting there.
 */
export function noisesToCome(
  arena: ArenaContext,
  noises: readonly PlannedNoise[],
  origin: number,
): NoisesToCome {
  const { cluster, signal } = arena;
  const left = noises.filter(({ ago }) => ago < 0).toSorted((a, b) => b.ago - a.ago);
  const dueAt = ({ ago }: PlannedNoise): number => origin - ago * 1000;
  async function placeNext(over?: AbortSignal): Promise<void> {
    const [next] = left;
    if (!next) return;
    const waits = sleepUntil(cluster.clock, dueAt(next), over ? AbortSignal.any([signal, over]) : signal);
    await waits.catch((thrown: unknown) => {
      if (!over?.aborted) throw thrown;
    });
    if (over?.aborted) return;
    left.shift();
    await arena.assertLease();
    await noting(arena, "noise", () => begin(arena, next));
  }
  return {
    async before(moment) {
      for (let next = left[0]; next && dueAt(next) < moment; next = left[0]) await placeNext();
    },
    async during(work) {
      const over = new AbortController();
      const placed = (async () => {
        while (left.length > 0 && !over.signal.aborted) await placeNext(over.signal);
      })();
      const [done, others] = await Promise.allSettled([work().finally(() => over.abort()), placed]);
      if (done.status === "rejected") throw done.reason;
      if (others.status === "rejected") throw others.reason;
      return done.value;
    },
  };
}

async function begin(arena: ArenaContext, planned: PlannedNoise): Promise<void> {
  const [noise, context] = placed(arena, planned);
  try {
    await noise.place(context);
  } catch (error) {
    if (!isLate(error)) throw error;
  }
}

async function place(arena: ArenaContext, planned: PlannedNoise): Promise<void> {
  const [noise, context] = placed(arena, planned);
  const where = planned.target === "" ? "" : ` on ${planned.target}`;
  try {
    await noise.place(context);
    await rewriteRecord(arena.cluster, arena.namespace);
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
