import { AppError } from "@microremed/core";
import { leaseMs } from "@microremed/episode";
import type { ArenaStatus } from "@microremed/state";
import { announceWaiting } from "./announce-waiting.ts";
import { applyEvent } from "./apply-event.ts";
import { checkStage } from "./check-stage.ts";
import { finishExperiment } from "./finish-experiment.ts";
import { planAhead } from "./plan-ahead.ts";
import { quarantineMs } from "./quarantine.ts";
import type { SchedulerDeps } from "./service.types.ts";

const batch = 100;

/** What must happen without a message; every scheduler checks, and the versions of the records keep them apart. */
export async function tick(deps: SchedulerDeps): Promise<void> {
  await keepLeases(deps);
  await checkStages(deps);
  const running = await deps.state.experiments.running();
  await planAhead(deps, running);
  await closeFinished(deps, running);
  await readmit(deps);
  await endHopeless(deps);
}

async function checkStages(deps: SchedulerDeps): Promise<void> {
  const ids = await deps.state.episodes.overdue(deps.now(), batch);
  // Each on its own: none waits for another's message while NATS is away, or suffers from what is wrong with another.
  await Promise.all(
    ids.map(async (id) => {
      try {
        await checkStage(deps, id);
      } catch (thrown) {
        const { code, message } = AppError.from(thrown);
        deps.log.warn({ episode: id, error_code: code, error_message: message }, "checking a stage failed");
      }
    }),
  );
}

/** Renews the leases of episodes that are under way, and ends unknown ones. */
async function keepLeases({ state }: SchedulerDeps): Promise<void> {
  for (const lease of await state.arenas.expiring(leaseMs / 2)) {
    const episode = await state.episodes.get(lease.episodeId);
    const held = episode?.arena?.cluster === lease.cluster && episode.arena.slot === lease.slot;
    if (held && episode.state !== "done") await state.arenas.renew(lease, leaseMs);
    else if (lease.over) await state.arenas.abandon(lease, episode);
  }
}

/** An experiment whose last episode ended just before its scheduler died. */
async function closeFinished(deps: SchedulerDeps, running: readonly string[]): Promise<void> {
  for (const id of running) {
    const experiment = await deps.state.experiments.get(id);
    if (experiment && experiment.done >= experiment.total) await finishExperiment(deps, id);
  }
}

/** A cluster may have recovered meanwhile: its arenas get another chance, beginning with a deployment from nothing. */
async function readmit({ state, now, log }: SchedulerDeps): Promise<void> {
  for (const arena of await state.arenas.list()) {
    const { cluster, slot, quarantined, quarantinedAt } = arena;
    if (quarantinedAt === null || now() - quarantinedAt < quarantineMs) continue;
    if (await state.arenas.readmit(arena))
      log.info({ cluster, slot, quarantined }, "an arena is readmitted after its quarantine");
  }
}

/** Ends the waiting episodes of experiments that may use none but quarantined arenas. */
async function endHopeless(deps: SchedulerDeps): Promise<void> {
  const waiting = await deps.state.experiments.waiting();
  if (waiting.length === 0) return;
  const arenas = await deps.state.arenas.list();
  const closed = await deps.state.clusters.quarantined();
  if (closed.size === 0 && arenas.every(({ quarantined }) => quarantined === null)) return;
  for (const id of waiting) {
    const experiment = await deps.state.experiments.get(id);
    const { clusters } = experiment?.record.request ?? {};
    const usable = arenas.filter(({ cluster }) => clusters === undefined || clusters.includes(cluster));
    // Clusters that have left the clusters file may come back: their experiments wait.
    if (usable.length === 0) continue;
    const isOut = usable.map(({ cluster }) => closed.has(cluster));
    // So do those of clusters that are taken back once they answer.
    if (isOut.every(Boolean)) await announceWaiting(deps, id, closed);
    if (isOut.some(Boolean) || usable.some(({ quarantined }) => quarantined === null)) continue;
    const reason = noArenaLeft(usable);
    for (const episodeId of await deps.state.episodes.pending(id, batch)) {
      await applyEvent(deps, episodeId, { kind: "no-arena", reason });
    }
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
