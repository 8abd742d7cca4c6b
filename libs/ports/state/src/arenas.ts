import type { EpisodeRecord } from "@microremed/contracts";

/** The current state of one arena slot. */
export interface ArenaStatus {
  readonly cluster: string;
  readonly slot: number;
  readonly fence: number;
  /** Id of the episode that holds it. */
  readonly episode: string | null;
  /** `<environment>@<namespace>` of what was deployed there last. */
  readonly deployed: string | null;
  /** Why it is not used any more. */
  readonly quarantined: string | null;
  /** Wall clock, ms. */
  readonly quarantinedAt: number | null;
}

/** An episode's hold on an arena. `fence` grows with every lease: what carries an older one may change nothing. */
export interface Lease {
  readonly experimentId: string;
  readonly episodeId: string;
  readonly cluster: string;
  readonly slot: number;
  readonly fence: number;
}

/** A lease that was just given. */
export interface NewLease extends Lease {
  /** Episodes of the experiment that wait still, and those that it will have besides. */
  readonly waiting: number;
  readonly unplanned: number;
}

/** The arenas of all clusters and who holds them. Times are ms by the clock of the state. */
export interface Arenas {
  /** Makes these the known arenas: `arenas` slots on each cluster, counted from 0. */
  register(clusters: readonly { name: string; arenas: number }[]): Promise<void>;
  /**
   * Leases a free arena to the next waiting episode: the owner of experiments that holds the fewest arenas is first, and of several
   * the one that was served least recently. Of an owner the experiments take turns, within each the model that holds the
   * fewest arenas is first, then the lowest index, and an arena that holds the wanted environment is preferred. `undefined`: nothing can be leased now.
   * Within `claimMs` the episode must have taken it (see `transition`), else it may be abandoned.
   */
  leaseNext(options: { claimMs: number }): Promise<NewLease | undefined>;
  /**
   * Whether an episode is to give its arena back because other owners wait and none is free for them. It goes to an owner that
   * holds fewer, and where its agent is not silent, at least two fewer: it would come back else. So many are given back at a time as owners wait.
   * False for experiments without an owner, and when the lease changed meanwhile.
   */
  giveBack(lease: Lease, isSilent: boolean): Promise<boolean>;
  /** Leases that end within `withinMs`; `over`: it has ended. */
  expiring(withinMs: number): Promise<(Lease & { readonly over: boolean })[]>;
  renew(lease: Pick<Lease, "cluster" | "slot">, leaseMs: number): Promise<void>;
  /**
   * Ends a lease that its episode does not know of (a scheduler died in between), or outlived. An episode that waits
   * goes back in the queue. False when lease or episode changed meanwhile.
   */
  abandon(lease: Lease, episode: EpisodeRecord | undefined): Promise<boolean>;
  /**
   * Takes an arena from an episode whose lease has been over for `overMs`: of an episode that can be read, `abandon` is
   * what ends a lease. Nothing is known of what was done there, so the fence rises and the arena is quarantined for
   * `reason`. The episode holds no arena of its experiment any more. False when the lease changed meanwhile, or is not
   * over for so long.
   */
  reclaim(lease: Lease, why: { readonly reason: string; readonly overMs: number }): Promise<boolean>;
  /** The fencing token of the latest lease; 0 when the arena was never leased or is unknown. */
  currentFence(arena: { cluster: string; slot: number }): Promise<number>;
  list(): Promise<ArenaStatus[]>;
  /** One arena; `known`: it is registered now. */
  get(arena: { cluster: string; slot: number }): Promise<ArenaStatus & { readonly known: boolean }>;
  /** Names of clusters that are registered, or that have a leased arena still. */
  clustersInUse(): Promise<ReadonlySet<string>>;
  /**
   * A quarantined arena may be leased again; it counts as empty, so that no experiment prefers it for what it held. False:
   * it is not quarantined, perhaps not any more.
   */
  readmit(arena: { cluster: string; slot: number }): Promise<boolean>;
}

/** `<cluster>/<slot>`. */
export function arenaName(arena: { cluster: string; slot: number }): string {
  return `${arena.cluster}/${arena.slot}`;
}

/** Experiments of one owner that are considered for one lease, at most. */
export const consideredExperiments = 100;

/** An arena that is to be given back counts as such for so long, ms: its episode may have died meanwhile. */
export const givingBackMs = 120_000;
