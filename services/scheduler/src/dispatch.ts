import { type Arena, type EpisodeRecord, environmentOf } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { namingService } from "@microremed/service-kit";
import type { Lease } from "@microremed/state";
import { applyEvent } from "./apply-event.ts";
import { isolated } from "./isolated.ts";
import { planAhead, runsOut } from "./plan-ahead.ts";
import type { SchedulerDeps } from "./service.types.ts";

/** From leasing an arena to its episode's knowing of it, ms: a scheduler that dies in between delays the episode by this. */
const claimMs = 5_000;

/** Leases handed over at once. */
const atOnce = 32;

/** Leases arenas to waiting episodes until nothing can be leased any more. */
export async function dispatch(deps: SchedulerDeps): Promise<void> {
  for (;;) {
    const handovers: Promise<AppError | undefined>[] = [];
    const runningOut = new Set<string>();
    while (handovers.length < atOnce) {
      const lease = await deps.state.arenas.leaseNext({ claimMs });
      if (!lease) break;
      if (lease.unplanned > 0 && runsOut(lease.waiting)) runningOut.add(lease.experimentId);
      handovers.push(handOver(deps, lease).catch(AppError.from));
    }
    const failed = (await Promise.all(handovers)).find((error) => error !== undefined);
    if (failed) throw failed;
    for (const experiment of runningOut)
      await isolated(deps, "planning on", () => planAhead(deps, [experiment]), { experiment });
    if (handovers.length < atOnce) return;
  }
}

async function handOver(deps: SchedulerDeps, lease: Lease): Promise<undefined> {
  const arena = await arenaOf(deps, lease);
  if (arena && "lacking" in arena) await refuse(deps, lease, arena.lacking);
  const taken = arena && !("lacking" in arena) && (await take(deps, lease, arena));
  if (!taken) await deps.state.arenas.abandon(lease, await deps.state.episodes.get(lease.episodeId));
}

/** False: the episode does not wait any more, or the lease was given up meanwhile because this process was too slow. */
async function take(deps: SchedulerDeps, { episodeId }: Lease, arena: Arena): Promise<boolean> {
  try {
    return (await applyEvent(deps, episodeId, { kind: "leased", arena })) !== undefined;
  } catch (thrown) {
    if (AppError.from(thrown).code === "stale-lease") return false;
    throw thrown;
  }
}

/** The experiment was accepted by a scheduler that has the entry; an episode without an end would wait for ever. */
async function refuse(deps: SchedulerDeps, { episodeId }: Lease, lacking: AppError): Promise<void> {
  const { code, message, details } = lacking;
  await applyEvent(deps, episodeId, { kind: "no-entry", error: { code, message, details } });
}

async function arenaOf(
  { state, catalog }: SchedulerDeps,
  lease: Lease,
): Promise<Arena | { readonly lacking: AppError } | undefined> {
  const { experiments } = state;
  const record =
    experiments.latest(lease.experimentId) ?? (await experiments.get(lease.experimentId))?.record;
  if (!record) return undefined;
  const planned = record.request.problems === undefined ? {} : await plannedOf(state, lease.episodeId);
  const environment = environmentOf(planned, record.request);
  let { namespace } = record.request;
  try {
    namespace ??= catalog.namespaceOf(environment);
  } catch (thrown) {
    return { lacking: namingService("scheduler", thrown) };
  }
  const { cluster, slot, fence } = lease;
  return { cluster, slot, fence, namespace: namespaceIn(slot, namespace) };
}

/** Of the problem that it is about; nothing: the episode is gone. */
async function plannedOf(
  { episodes }: SchedulerDeps["state"],
  episodeId: string,
): Promise<Pick<EpisodeRecord, "problem">> {
  return episodes.latest(episodeId) ?? (await episodes.get(episodeId)) ?? {};
}

/** Several arenas of one cluster need several namespaces; the first has the plain name. */
function namespaceIn(slot: number, namespace: string): string {
  return slot === 0 ? namespace : `${namespace.slice(0, 63 - `-${slot}`.length)}-${slot}`;
}
