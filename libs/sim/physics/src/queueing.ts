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
 * M/M/c by Sakasegawa's approximation (Sakasegawa 1977): the mean wait is hold / c * load^(sqrt(2(c+1)) - 1) / (1 -
 * load); exact for c = 1. `holdMs` is how long a request keeps its server, its own calls included; `load` is 0 to 1.
 */
export function waitForServer(servers: number, load: number, holdMs: number): Wait {
  return { chance: load ** (Math.sqrt(2 * (servers + 1)) - 1), ms: holdMs / (servers * (1 - load)) };
}

/**
 * M/G/1 with processor sharing (Kleinrock 1976, vol. 2, section 4.4): work that takes `ms` alone takes 1 / (1 - load)
 * as long, whatever its distribution.
 */
export const shared = (ms: number, load: number): number => ms / (1 - load);
