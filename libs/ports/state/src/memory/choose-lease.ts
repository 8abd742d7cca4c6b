import { episodeIndexOf } from "@microremed/contracts";
import { boundsOf, laneOf } from "../lanes.ts";
import { pausedName } from "../model-pauses.ts";
import type { ScoredSet } from "./scored-set.ts";

/** An experiment with episodes that wait, as far as leases concern it. */
export interface Queued {
  readonly id: string;
  /** `<environment>@<namespace>`; without environment where each of its problems has one. */
  readonly wants: string;
  /** Those that it may use; absent: any. */
  readonly clusters: readonly string[] | undefined;
  readonly maxParallel: number;
  readonly cancelled: boolean;
  /** How many models it has. */
  readonly lanes: number;
  readonly pending: Pick<ScoredSet, "first">;
  /** Ids of its episodes that hold an arena. */
  readonly active: ReadonlySet<string>;
}

export interface FreeArena {
  readonly name: string;
  readonly cluster: string;
  readonly deployed: string | null;
}

export interface ChosenLease {
  readonly experiment: Queued;
  readonly episodeId: string;
  readonly arena: FreeArena;
}

/**
 * Who is to get which arena: the first experiment of the queue that may have one of the free arenas and has an episode
 * waiting. `free` is in the order of names; `quarantined`: clusters without new leases; `paused`: models without, as `<experiment>/<lane>`;
 * `environmentOf`: that of an episode's problem.
 */
export function chooseLease(
  queue: Iterable<Queued>,
  free: readonly FreeArena[],
  quarantined: ReadonlySet<string>,
  paused: ReadonlySet<string>,
  environmentOf: (episodeId: string) => string,
): ChosenLease | undefined {
  const open = free.filter(({ cluster }) => !quarantined.has(cluster));
  for (const experiment of queue) {
    if (experiment.cancelled || experiment.active.size >= experiment.maxParallel) continue;
    const episodeId = chooseEpisode(experiment, paused);
    if (episodeId === undefined) continue;
    const { clusters, wants: plain } = experiment;
    const wants = plain.startsWith("@") ? `${environmentOf(episodeId)}${plain}` : plain;
    const arena = chooseArena({ wants, clusters }, open);
    if (arena) return { experiment, episodeId, arena };
  }
  return undefined;
}

/** An arena with the wanted environment before an empty one, and that before one with another environment. */
function chooseArena(
  { wants, clusters }: Pick<Queued, "wants" | "clusters">,
  open: readonly FreeArena[],
): FreeArena | undefined {
  const allowed = open.filter(({ cluster }) => clusters?.includes(cluster) ?? true);
  return (
    allowed.find(({ deployed }) => deployed === wants) ??
    allowed.find(({ deployed }) => deployed === null) ??
    allowed[0]
  );
}

/**
 * Fair between the models of an experiment: a slow one holds no more than its share while another has work waiting. The
 * model with the fewest arenas is first, then the lowest index.
 */
function chooseEpisode(
  { id: experimentId, lanes, pending, active }: Queued,
  paused: ReadonlySet<string>,
): string | undefined {
  const held = new Map<number, number>();
  for (const id of active) {
    const lane = laneOf(episodeIndexOf(id), lanes);
    held.set(lane, (held.get(lane) ?? 0) + 1);
  }
  let best: { id: string; held: number; index: number } | undefined;
  for (let lane = 0; lane < lanes; lane++) {
    if (paused.has(pausedName({ experimentId, lane }))) continue;
    const { from, below } = boundsOf(lane);
    const id = pending.first(from, below);
    if (id === undefined) continue;
    const next = { id, held: held.get(lane) ?? 0, index: episodeIndexOf(id) };
    if (!best || next.held < best.held || (next.held === best.held && next.index < best.index)) best = next;
  }
  return best?.id;
}

/**
 * Stride scheduling: every lease moves its experiment back in the queue by 10 minus its priority, so that shares of
 * arenas are as 1/(10 - priority) and no experiment starves.
 */
export function placeAfterLease(place: number, priority: number): number {
  return place + 10 - priority;
}
