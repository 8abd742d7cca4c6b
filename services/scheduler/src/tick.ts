import type { ClusterQuarantine } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { leaseMs } from "@microremed/episode";
import type { ArenaStatus, Lease } from "@microremed/state";
import { announceWaiting } from "./announce-waiting.ts";
import { applyEvent } from "./apply-event.ts";
import { checkStage } from "./check-stage.ts";
import { finishExperiment } from "./finish-experiment.ts";
import { isolated } from "./isolated.ts";
import { planAhead } from "./plan-ahead.ts";
import { quarantineMs } from "./quarantine.ts";
import type { SchedulerDeps } from "./service.types.ts";

/** How long the lease of an episode that cannot be read has been over when its arena is taken back, ms. */
const unreadableMs = 2 * leaseMs;

/** Records per step of a tick: the rest follows in the next one, 2.5 s later. */
const batch = 100;

/**
 * What must happen without a message; every scheduler checks, and the versions of the records keep them apart. What
 * is wrong with one record or in one step stops none of the others.
 */
export async function tick(deps: SchedulerDeps): Promise<void> {
  await isolated(deps, "keeping leases", () => keepLeases(deps));
  await isolated(deps, "checking stages", () => checkStages(deps));
  await isolated(deps, "looking after running experiments", () => continueRunning(deps));
  await isolated(deps, "readmitting arenas", () => readmit(deps));
  await isolated(deps, "ending hopeless experiments", () => endHopeless(deps));
}

async function checkStages(deps: SchedulerDeps): Promise<void> {
  const ids = await deps.state.episodes.overdue(deps.now(), batch);
  // All at once: none waits for another's message while NATS is away.
  await Promise.all(
    ids.map((episode) => isolated(deps, "checking a stage", () => checkStage(deps, episode), { episode })),
  );
}

/** Renews the leases of episodes that are under way, and ends unknown ones. */
async function keepLeases(deps: SchedulerDeps): Promise<void> {
  for (const lease of await deps.state.arenas.expiring(leaseMs / 2)) {
    const { episodeId: episode, cluster, slot } = lease;
    await isolated(deps, "keeping a lease", () => keepLease(deps, lease), { episode, cluster, slot });
  }
}

async function keepLease(deps: SchedulerDeps, lease: Lease & { readonly over: boolean }): Promise<void> {
  const { state } = deps;
  const episode = await state.episodes.get(lease.episodeId).catch(async (thrown: unknown) => {
    if (lease.over && AppError.from(thrown).severity === "terminal") await reclaim(deps, lease, thrown);
    throw thrown;
  });
  const held = episode?.arena?.cluster === lease.cluster && episode.arena.slot === lease.slot;
  if (held && episode.state !== "done") await state.arenas.renew(lease, leaseMs);
  else if (lease.over) await state.arenas.abandon(lease, episode);
}

/**
 * An episode whose record no scheduler can read keeps its arena from all others. One that another scheduler can read, of a
 * newer version, has its lease renewed by that one.
 */
async function reclaim({ state, log }: SchedulerDeps, lease: Lease, thrown: unknown): Promise<void> {
  const { episodeId: episode, cluster, slot } = lease;
  const { message } = AppError.from(thrown);
  const reason = `the record of episode ${episode}, which held it, cannot be read`;
  if (!(await state.arenas.reclaim(lease, { reason, overMs: unreadableMs }))) return;
  const after = `its next episode restores it, after ${quarantineMs / 60_000} minutes of quarantine`;
  log.error(
    { episode, cluster, slot, error_message: message },
    `${reason}: the arena is taken back; ${after}`,
  );
}

async function continueRunning(deps: SchedulerDeps): Promise<void> {
  const running = await deps.state.experiments.running();
  for (const experiment of running)
    await isolated(deps, "planning on", () => planAhead(deps, [experiment]), { experiment });
  for (const experiment of running)
    await isolated(deps, "closing an experiment", () => closeFinished(deps, experiment), { experiment });
}

/** An experiment whose last episode ended just before its scheduler died. */
async function closeFinished(deps: SchedulerDeps, id: string): Promise<void> {
  const experiment = await deps.state.experiments.get(id);
  if (experiment && experiment.done >= experiment.total) await finishExperiment(deps, id);
}

/** A cluster may have recovered meanwhile: its arenas get another chance, beginning with a deployment from nothing. */
async function readmit(deps: SchedulerDeps): Promise<void> {
  const { state, now, log } = deps;
  for (const arena of await state.arenas.list()) {
    const { cluster, slot, quarantined, quarantinedAt } = arena;
    if (quarantinedAt === null || now() - quarantinedAt < quarantineMs) continue;
    const work = async () => {
      if (await state.arenas.readmit(arena))
        log.info({ cluster, slot, quarantined }, "an arena is readmitted after its quarantine");
    };
    await isolated(deps, "readmitting an arena", work, { cluster, slot });
  }
}

/** Ends the waiting episodes of experiments that may use none but quarantined arenas. */
async function endHopeless(deps: SchedulerDeps): Promise<void> {
  const waiting = await deps.state.experiments.waiting();
  if (waiting.length === 0) return;
  const arenas = await deps.state.arenas.list();
  const closed = await deps.state.clusters.quarantined();
  if (closed.size === 0 && arenas.every(({ quarantined }) => quarantined === null)) return;
  for (const experiment of waiting) {
    const work = () => endIfHopeless(deps, experiment, arenas, closed);
    await isolated(deps, "ending a hopeless experiment", work, { experiment });
  }
}

async function endIfHopeless(
  deps: SchedulerDeps,
  id: string,
  arenas: readonly ArenaStatus[],
  closed: ReadonlyMap<string, ClusterQuarantine>,
): Promise<void> {
  const experiment = await deps.state.experiments.get(id);
  const { clusters } = experiment?.record.request ?? {};
  const usable = arenas.filter(({ cluster }) => clusters === undefined || clusters.includes(cluster));
  // Clusters that have left the clusters file may come back: their experiments wait.
  if (usable.length === 0) return;
  const isOut = usable.map(({ cluster }) => closed.has(cluster));
  // So do those of clusters that are taken back once they answer.
  if (isOut.every(Boolean)) await announceWaiting(deps, id, closed);
  if (isOut.some(Boolean) || usable.some(({ quarantined }) => quarantined === null)) return;
  const event = { kind: "no-arena", reason: noArenaLeft(usable) } as const;
  for (const episode of await deps.state.episodes.pending(id, batch)) {
    const work = async () => void (await applyEvent(deps, episode, event));
    await isolated(deps, "ending an episode", work, { episode });
  }
}

function noArenaLeft(arenas: readonly ArenaStatus[]): string {
  const why = arenas
    .slice(0, 5)
    .map(({ cluster, slot, quarantined }) => `${cluster}/${slot}: ${quarantined}`);
  return `no arena is left that the experiment may use: ${arenas.length} are quarantined (${why.join("; ")})`.slice(
    0,
    4000,
  );
}
