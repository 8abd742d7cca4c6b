import { episodeId } from "@microremed/contracts";
import type { State } from "../state.ts";
import { clusters, episodesOfEach, experimentIds, models, slotsOfEach } from "./step.ts";

/** Everything that can be seen of a state, in an order that does not depend on the driver. */
export async function viewOf(state: State): Promise<unknown> {
  const ids = experimentIds.flatMap((id) =>
    Array.from({ length: episodesOfEach }, (_, i) => episodeId(id, i)),
  );
  const slots = clusters.flatMap((cluster) =>
    Array.from({ length: slotsOfEach }, (_, slot) => ({ cluster, slot })),
  );
  const experiments = experimentIds.map(async (id) => ({
    latest: state.experiments.latest(id),
    progress: await state.experiments.get(id),
    pending: await state.episodes.pending(id, 1_000),
    pendingCount: await state.episodes.pendingCount(id),
    active: (await state.episodes.active(id)).toSorted(),
    conversation: await state.conversations.read({ episodeId: episodeId(id, 0), trial: 1 }),
  }));
  return {
    latest: ids.map((id) => state.episodes.latest(id)),
    experiments: await Promise.all(experiments),
    list: await state.experiments.list(100),
    running: (await state.experiments.running()).toSorted(),
    waiting: await state.experiments.waiting(),
    episodes: await state.episodes.getMany(ids),
    overdue: await state.episodes.overdue(1_000, 1_000),
    arenas: await state.arenas.list(),
    slots: await Promise.all(slots.map(state.arenas.get)),
    fences: await Promise.all(slots.map(state.arenas.currentFence)),
    leases: await state.arenas.expiring(1e12),
    inUse: [...(await state.arenas.clustersInUse())].toSorted(),
    suspected: (await state.clusters.suspected()).toSorted(),
    quarantined: [...(await state.clusters.quarantined())].toSorted(),
    paused: (await state.modelPauses.list()).toSorted(
      (a, b) => a.lane - b.lane || (a.experimentId < b.experimentId ? -1 : 1),
    ),
    blocked: await Promise.all(models.map(state.modelCalls.blockedFor)),
    outbox: await state.outbox.size(),
    messages: await state.outbox.claim({ limit: 1_000, claimMs: 0 }),
  };
}
