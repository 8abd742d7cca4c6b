/** Beyond this the formulas for steady state say nothing; a backlog that grows tick by tick takes over. */
const almostFull = 0.98;

/** How long an arriving request waits for one of the servers. */
export interface Wait {
  /** Chance that it waits at all. */
  readonly chance: number;
  /** Mean wait of those that wait, ms. */
  readonly ms: number;
}

/** Share of the servers' time in use, capped below 1. */
export const utilisation = (offered: number, capacity: number): number =>
  capacity <= 0 ? almostFull : Math.min(almostFull, offered / capacity);

/**
 * M/M/c by Sakasegawa's approximation: the mean wait is hold / c * load^(sqrt(2(c+1)) - 1) / (1 - load); exact for c = 1.
 * `holdMs` is how long a request keeps its server, its own calls included.
 */
export function waitForServer(servers: number, load: number, holdMs: number): Wait {
  return { chance: load ** (Math.sqrt(2 * (servers + 1)) - 1), ms: holdMs / (servers * (1 - load)) };
}

/** M/G/1 with processor sharing: work that takes `ms` alone takes 1 / (1 - load) as long. */
export const shared = (ms: number, load: number): number => ms / (1 - load);
