import { type Arena, type EpisodeRecord, ExperimentRequest, plannedRecord } from "@microremed/contracts";
import { aPlannedEpisode, aRunningExperiment } from "@microremed/contracts/testing";
import type { NewLease } from "../arenas.ts";
import type { OutboxMessage } from "../outbox.ts";
import type { State } from "../state.ts";

/** The record of a planned episode. */
export function anEpisode(experimentId: string, index: number): EpisodeRecord {
  return plannedRecord(experimentId, aPlannedEpisode({ index, target: "cartservice" }));
}

export function aMessage(name: string): OutboxMessage {
  return { subject: "microremed.test", body: { name }, msgId: name };
}

export interface ExperimentWish {
  readonly id: string;
  readonly model?: readonly string[];
  readonly episodes?: number;
  /** Those that it will have, if more than are planned at first. */
  readonly total?: number;
  readonly maxParallel?: number;
  readonly clusters?: readonly string[];
  readonly wants?: string;
  readonly priority?: number;
  readonly owner?: string;
  /** Of the problem of each episode, in place of `episodes`; absent: no episode has a problem. */
  readonly environments?: readonly string[];
}

/** Creates an experiment whose start is announced by the message `<id>/started`; false: it was there. */
export async function createExperiment(state: State, wish: ExperimentWish): Promise<boolean> {
  const { id, environments, wants = "shop@shop", ...others } = wish;
  const { episodes = environments?.length ?? 1, total = episodes, ...rest } = others;
  const request = ExperimentRequest.parse({ id, environment: "shop", model: "reference/noop", ...rest });
  const { created } = await state.experiments.create(aRunningExperiment(id, request, total), {
    wants,
    episodes: Array.from({ length: episodes }, (_, i) => ({
      ...anEpisode(id, i),
      ...problemOn(environments?.[i]),
    })),
    messages: [aMessage(`${id}/started`)],
  });
  return created;
}

function problemOn(environment: string | undefined): Pick<EpisodeRecord, "problem"> {
  if (environment === undefined) return {};
  return { problem: { id: "suite@1/one", environment, report: "none", concealment: "none" } };
}

/** Claims all messages that may be claimed, for a minute. */
export async function claimedNames(state: State): Promise<string[]> {
  const claimed = await state.outbox.claim({ limit: 1000, claimMs: 60_000 });
  return claimed.map(({ msgId }) => msgId);
}

/** Leases the next arena for a minute; throws when there is nothing to lease. */
export async function leaseOne(state: State): Promise<NewLease> {
  const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
  if (!lease) throw new Error("nothing to lease");
  return lease;
}

/** The arena of a lease, as records have it. */
function arenaOf({ cluster, slot, fence }: NewLease): Arena {
  return { cluster, slot, fence, namespace: "shop" };
}

/** Leases an arena and moves the episode, its experiment's first, to the state after that. */
export async function leased(state: State): Promise<{ record: EpisodeRecord; arena: Arena }> {
  const lease = await leaseOne(state);
  const arena = arenaOf(lease);
  const record = { ...anEpisode(lease.experimentId, 0), state: "leased" as const, arena };
  await state.episodes.transition(0, { next: record, messages: [], checkAt: 1000 });
  return { record, arena };
}
