import { episodeIndexOf } from "@microremed/contracts";
import { boundsOf, laneOf } from "../lanes.ts";
import { pausedName } from "../model-pauses.ts";
import type { ScoredSet } from "./scored-set.ts";

/** An experiment with episodes that wait, as far as leases concern it. */
export interface Queued {
  readonly id: string;
  readonly owner: string;
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

/** What decides besides the experiments that wait. */
export interface Market {
  /** In the order of their names. */
  readonly free: readonly FreeArena[];
  /** Clusters without new leases. */
  readonly quarantined: ReadonlySet<string>;
  /** Models without new leases, as `<experiment>/<lane>`. */
  readonly paused: ReadonlySet<string>;
  /** Of an episode's problem. */
  environmentOf(episodeId: string): string;
}

/** An experiment that may have an arena more, its next episode, and the arena that it would get; undefined: none is free for it. */
export interface Waiting {
  readonly experiment: Queued;
  readonly episodeId: string;
  readonly arena: FreeArena | undefined;
}

/** The experiments of a line that may have an arena more. */
export function* waitingIn(line: Iterable<Queued>, market: Market): Generator<Waiting> {
  const open = market.free.filter(({ cluster }) => !market.quarantined.has(cluster));
  for (const experiment of line) {
    if (experiment.cancelled || experiment.active.size >= experiment.maxParallel) continue;
    const episodeId = chooseEpisode(experiment, market.paused);
    if (episodeId === undefined) continue;
    const { clusters, wants: plain } = experiment;
    const wants = plain.startsWith("@") ? `${market.environmentOf(episodeId)}${plain}` : plain;
    yield { experiment, episodeId, arena: chooseArena({ wants, clusters }, open) };
  }
}

/**
 * Who is to get which arena: the first experiment that may have one of the free arenas and has an episode waiting. `lines`: those of
 * each owner, the owner that was served least recently first; the one that holds the fewest arenas (`held`) is first.
 */
export function chooseLease(
  lines: readonly { readonly owner: string; readonly line: Iterable<Queued> }[],
  held: (owner: string) => number,
  market: Market,
): ChosenLease | undefined {
  for (const { line } of lines.toSorted((a, b) => held(a.owner) - held(b.owner)))
    for (const { experiment, episodeId, arena } of waitingIn(line, market))
      if (arena) return { experiment, episodeId, arena };
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
 * Stride scheduling: every lease moves its experiment back in its line by 10 minus its priority, so that shares of
 * arenas are as 1/(10 - priority) and no experiment starves.
 */
export function strideOf(priority: number): number {
  return 10 - priority;
}
