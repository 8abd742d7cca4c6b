import type { Arena } from "@microremed/contracts";
import type { Lease } from "@microremed/state";
import { applyEvent } from "./apply-event.ts";
import type { SchedulerDeps } from "./scheduler.types.ts";

/** A lease that no scheduler renews ends after this long, ms. */
export const leaseMs = 60_000;

/** Leases arenas to waiting episodes until nothing can be leased any more. */
export async function dispatch(deps: SchedulerDeps): Promise<void> {
  for (;;) {
    const lease = await deps.state.arenas.leaseNext({ leaseMs });
    if (!lease) return;
    const arena = await arenaOf(deps, lease);
    const taken = arena && (await applyEvent(deps, lease.episodeId, { kind: "leased", arena }));
    if (!taken) await deps.state.arenas.abandon(lease, await deps.state.episodes.get(lease.episodeId));
  }
}

async function arenaOf({ state, catalog }: SchedulerDeps, lease: Lease): Promise<Arena | undefined> {
  const experiment = await state.experiments.get(lease.experimentId);
  if (!experiment) return undefined;
  const { environment, namespace = catalog.namespaceOf(environment) } = experiment.record.request;
  const { cluster, slot, fence } = lease;
  return { cluster, slot, fence, namespace: namespaceIn(slot, namespace) };
}

/** Several arenas of one cluster need several namespaces; the first has the plain name. */
function namespaceIn(slot: number, namespace: string): string {
  return slot === 0 ? namespace : `${namespace.slice(0, 63 - `-${slot}`.length)}-${slot}`;
}
