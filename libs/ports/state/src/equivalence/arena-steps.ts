import fc from "fast-check";
import {
  cluster,
  clusters,
  durationMs,
  experimentId,
  leaseOf,
  slot,
  slotsOfEach,
  step,
  which,
} from "./step.ts";

const leaseNext = step("leaseNext", durationMs, async (state, claimMs) =>
  state.arenas.leaseNext({ claimMs }),
);

const counts = fc.constantFrom(0, 1, slotsOfEach, slotsOfEach);

/** Makes some arenas the known ones. */
export const register = step("register", fc.tuple(...clusters.map(() => counts)), (state, drawn) =>
  state.arenas.register(clusters.map((name, i) => ({ name, arenas: drawn[i] ?? 0 }))),
);

export const arenaSteps = [
  register,
  leaseNext,
  leaseNext,
  leaseNext,
  step("expiring", durationMs, (state, withinMs) => state.arenas.expiring(withinMs)),
  step("renew", fc.tuple(cluster, slot, durationMs), (state, [name, number, leaseMs]) =>
    state.arenas.renew({ cluster: name, slot: number }, leaseMs),
  ),
  step("abandon", fc.tuple(which, fc.boolean()), async (state, [number, known], history) => {
    const lease = leaseOf(history, number);
    const episode = known ? await state.episodes.get(lease.episodeId) : undefined;
    return state.arenas.abandon(lease, episode);
  }),
  step("reclaim", fc.tuple(which, durationMs), (state, [number, overMs], history) =>
    state.arenas.reclaim(leaseOf(history, number), { reason: "unreadable", overMs }),
  ),
  step("giveBack", fc.tuple(which, fc.boolean()), (state, [number, isSilent], history) =>
    state.arenas.giveBack(leaseOf(history, number), isSilent),
  ),
  step("readmit", fc.tuple(cluster, slot), (state, [name, number]) =>
    state.arenas.readmit({ cluster: name, slot: number }),
  ),
  step("clustersInUse", fc.constant(null), (state) => state.arenas.clustersInUse()),
];

const pausedModel = fc.record({ experimentId, lane: fc.nat(1) });
const pause = { model: "m1", reason: "silent", since: 1, checks: 0, checkAt: 2 };

export const pauseSteps = [
  step("begin", pausedModel, (state, model) => state.modelPauses.begin(model, pause)),
  step("update", pausedModel, (state, model) => state.modelPauses.update(model, { ...pause, checks: 1 })),
  step("end", pausedModel, (state, model) => state.modelPauses.end(model)),
  step("end", pausedModel, (state, model) => state.modelPauses.end(model)),
];

const why = { reason: "silent", since: 1, until: 2 };

export const clusterSteps = [
  step(
    "blame",
    fc.record({ cluster, key: fc.constantFrom("a", "b", "c"), weight: fc.integer({ min: 1, max: 4 }) }),
    (state, failure) => state.clusters.blame(failure, 6, why),
  ),
  step("clear", cluster, (state, name) => state.clusters.clear(name)),
  step("release", cluster, (state, name) => state.clusters.release(name)),
];
