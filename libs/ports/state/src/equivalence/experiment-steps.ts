import { type EpisodeRecord, episodeId } from "@microremed/contracts";
import fc from "fast-check";
import type { ArenaEffect } from "../episodes.ts";
import { aMessage, anEpisode, createExperiment, type ExperimentWish } from "../testing/builders.ts";
import { durationMs, episodesOfEach, experimentId, leaseOf, step, which } from "./step.ts";

const wish = fc.record({
  id: experimentId,
  model: fc.constantFrom(["m1"], ["m1", "m2"], ["m1", "m2", "m3"]),
  episodes: fc.integer({ min: 1, max: 4 }),
  maxParallel: fc.integer({ min: 1, max: 4 }),
  wants: fc.constantFrom("shop@shop", "train@shop"),
  priority: fc.nat(9),
});
const ownerWish = fc.constantFrom<Pick<ExperimentWish, "owner">>({}, { owner: "ann" }, { owner: "bob" });
/** Episodes that it gets later. */
const more = fc.integer({ min: 0, max: episodesOfEach - 4 });
const clusterWish = fc.constantFrom<Pick<ExperimentWish, "clusters">>(
  {},
  { clusters: ["c1"] },
  { clusters: ["c1", "c2"] },
);
const limit = fc.integer({ min: 1, max: 5 });

/** Creates an experiment. */
export const create = step(
  "create",
  fc.tuple(wish, more, clusterWish, ownerWish),
  (state, [some, later, where, whose]) =>
    createExperiment(state, { ...some, ...where, ...whose, total: some.episodes + later }),
);

export const experimentSteps = [
  create,
  step("extend", fc.tuple(experimentId, fc.nat(2), fc.nat(1)), async (state, [id, count, off]) => {
    const { record, planned, total } = (await state.experiments.get(id)) ?? { planned: 0, total: 0 };
    if (!record) return undefined;
    const added = Math.min(count, total - planned);
    const episodes = Array.from({ length: added }, (_, i) => anEpisode(id, planned + i));
    return state.experiments.extend(record, planned + off, episodes);
  }),
  step("cancel", experimentId, (state, id) => state.experiments.cancel(id)),
  step("leave", experimentId, (state, id) => state.experiments.cancel(id, "agent")),
  step("finish", experimentId, async (state, id) => {
    const found = await state.experiments.get(id);
    if (!found) return undefined;
    const closed = { ...found.record, status: "completed" as const, finishedAt: 2 };
    return state.experiments.finish(closed, [aMessage(`${id}/end`)]);
  }),
  step("list", limit, (state, most) => state.experiments.list(most)),
  step("experiment", experimentId, (state, id) => state.experiments.get(id)),
  step("waiting", fc.constant(null), (state) => state.experiments.waiting()),
];

type Change = readonly [EpisodeRecord["state"], ArenaEffect["kind"] | "none"];
const states = fc.constantFrom<Change[0]>("planned", "leased", "acting", "done");
const effects = fc.constantFrom<Change[1]>("none", "take", "release", "quarantine", "deployed", "refence");
/** Mostly as episodes go. */
const changes = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom<Change[]>(
      ["leased", "take"],
      ["leased", "take"],
      ["leased", "take"],
      ["acting", "none"],
      ["acting", "deployed"],
      ["acting", "refence"],
      ["done", "release"],
      ["done", "release"],
      ["done", "release"],
      ["done", "quarantine"],
      ["planned", "release"],
    ),
  },
  { weight: 1, arbitrary: fc.tuple(states, effects) },
);
const change = fc.record({
  number: which,
  /** Null: that of the lease. */
  index: fc.option(fc.nat(episodesOfEach - 1), { freq: 8 }),
  change: changes,
  off: fc.constantFrom(0, 0, 0, 0, 0, 0, 1),
  messages: fc.nat(2),
  claimMs: durationMs,
  durationMs,
  checkAt: fc.option(fc.nat(100), { nil: undefined }),
});

function effectOf(kind: ArenaEffect["kind"] | "none", arena: ArenaEffect["arena"], leaseMs: number) {
  switch (kind) {
    case "none":
      return undefined;
    case "take":
      return { kind, arena, leaseMs };
    case "quarantine":
      return { kind, arena, reason: "broken" };
    case "deployed":
      return { kind, arena, wants: "shop@shop" };
    case "refence":
      return { kind, arena: { ...arena, fence: arena.fence + 1 } };
    default:
      return { kind, arena };
  }
}

const transition = step("transition", change, async (state, drawn, history) => {
  const lease = leaseOf(history, drawn.number);
  const id = drawn.index === null ? lease.episodeId : episodeId(lease.experimentId, drawn.index);
  const known = await state.episodes.get(id);
  const { cluster, slot, fence } = lease;
  const arena = { cluster, slot, fence, namespace: "shop" };
  // No episode goes on after it is done.
  const off = known?.state === "done" ? 1 : drawn.off;
  const index = Number(id.slice(-4));
  const [to, effect] = drawn.change;
  const next = { ...(known ?? anEpisode(lease.experimentId, index)), state: to, arena };
  return state.episodes.transition((known?.version ?? 0) + off, {
    next,
    messages: Array.from({ length: drawn.messages }, (_, i) => aMessage(`${id}/${known?.version}/${i}`)),
    claimMs: drawn.claimMs,
    effect: effectOf(effect, arena, drawn.durationMs),
    checkAt: drawn.checkAt,
  });
});

export const episodeSteps = [
  transition,
  transition,
  transition,
  transition,
  transition,
  transition,
  step("pending", fc.tuple(experimentId, limit), (state, [id, most]) => state.episodes.pending(id, most)),
  step("overdue", fc.tuple(fc.nat(100), limit), (state, [now, most]) => state.episodes.overdue(now, most)),
  step("checkAgain", fc.tuple(experimentId, fc.nat(5), fc.nat(100)), (state, [id, index, checkAt]) =>
    state.episodes.checkAgain(episodeId(id, index), checkAt),
  ),
];
