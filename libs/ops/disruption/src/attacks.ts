import { setTimeout as delay } from "node:timers/promises";
import { createRng, type Logger } from "@microremed/core";
import type { Stack } from "@microremed/stack";
import type { NamedLink } from "./links.ts";
import type { SmallDisk } from "./small-disk.ts";
import type { LinkState } from "./tcp-link.ts";

export interface Damage {
  killed: number;
  paused: number;
  natsCrashes: number;
  redisCrashes: number;
  linksCut: number;
  linksSlowed: number;
  disksFilled: number;
  /** How often the store of NATS was on a file system that takes no writes. */
  storesReadOnly: number;
  clustersKilled: number;
}

export const noDamage = (): Damage => ({
  killed: 0,
  paused: 0,
  natsCrashes: 0,
  redisCrashes: 0,
  linksCut: 0,
  linksSlowed: 0,
  disksFilled: 0,
  storesReadOnly: 0,
  clustersKilled: 0,
});

/** Shares of the attacks; what is left of 1 kills services. */
export interface AttackShares {
  /** Pause a service. */
  readonly pause: number;
  /** Crash NATS or Redis. */
  readonly crash: number;
  /** Cut, silence or slow the link between a service and a server. */
  readonly link: number;
  /** Fill the disk of NATS or that of Redis, or forbid writes to that of NATS. */
  readonly disk: number;
  /** Kill an embedded cluster, which another one replaces. */
  readonly cluster: number;
}

export interface AttackOptions {
  readonly seed: number;
  /** Mean time between two attacks, ms. */
  readonly everyMs: number;
  readonly shares: AttackShares;
  /** Longest pause, ms: longer than a claim lasts, so that others take over. */
  readonly longestPauseMs: number;
  readonly log: Logger;
}

export interface Targets {
  readonly stack: Stack;
  readonly links: readonly NamedLink[];
  readonly disks: Disks | undefined;
}

/** The disks of the servers, where they have some of their own. */
export interface Disks {
  /** Of the streams of NATS alone. */
  readonly store: SmallDisk;
  /** Of all else: Redis, the configuration, the logs. */
  readonly rest: SmallDisk;
}

/** A link is mended, and a disk freed, after at most so long, ms. */
const longestCutMs = 6_000;
const longestFullMs = 4_000;
const longestReadOnlyMs = 6_000;
/** A server that is started again may hold a file of its store open for a moment. */
const mostTries = 50;
const slowestMs = 80;
const askWithinMs = 1_000;

/**
 * Attacks one after the other at random until aborted, and counts them in `damage`: services are killed (SIGKILL) and
 * paused (SIGSTOP, later SIGCONT), NATS and Redis crash, links break, a disk is full or takes no writes, embedded clusters
 * are killed. What lasts overlaps with what follows. Returns once every process goes on, every link is mended and the
 * disks can be written.
 */
export async function attackAtRandom(
  targets: Targets,
  options: AttackOptions,
  damage: Damage,
  signal: AbortSignal,
): Promise<void> {
  const { stack, links, disks } = targets;
  const { shares, log } = options;
  const rng = createRng(options.seed, "attacks");
  const busy = new Set<unknown>();
  const clusters = stack.clusterPids.size;
  const lasting: Promise<void>[] = [];

  /** Begins something at what nothing is done to yet, and ends it some time later. */
  const last = (target: unknown, ms: number, end: () => void | Promise<void>): void => {
    busy.add(target);
    const over = delay(ms, undefined, { signal }).catch(() => undefined);
    lasting.push(over.then(end).then(() => void busy.delete(target)));
  };
  const crash = (server: Stack["servers"][number]): void => {
    // What Redis confirmed right before it noticed that the disk is full is in its memory alone: see operations.md.
    if (server.name === "redis" && busy.has(disks?.rest)) return;
    if (!send(server.pid, "SIGKILL")) return;
    if (server.name === "nats") damage.natsCrashes++;
    else damage.redisCrashes++;
  };
  const breakLink = (): void => {
    const link = rng.pick(links);
    const states: readonly LinkState[] = [
      { kind: "cut" },
      { kind: "silent" },
      { kind: "slow", delayMs: 1 + rng.int(slowestMs) },
    ];
    const state = rng.pick(states);
    if (busy.has(link)) return;
    if (state.kind === "cut") damage.linksCut++;
    else damage.linksSlowed++;
    log.debug({ name: link.name, ...state }, "a link breaks");
    link.set(state);
    last(link, 50 + rng.int(longestCutMs), () => link.set({ kind: "clear" }));
  };
  const crashNats = (): void => {
    for (const server of stack.servers) if (server.name === "nats") crash(server);
  };
  const fillDisk = async (full: SmallDisk): Promise<void> => {
    if (busy.has(full)) return;
    damage.disksFilled++;
    log.debug({}, "a disk is filled");
    await full.fill();
    last(full, 500 + rng.int(longestFullMs), async () => {
      await full.free();
      // A NATS server that met a full disk leaves JetStream off until it is started again.
      crashNats();
    });
  };
  /** Only what is not open for writing can be made so: NATS is killed, and meets it when it is started again. */
  const forbidStore = async (store: SmallDisk): Promise<void> => {
    if (busy.has(store)) return;
    if (!(await killedUntil(() => store.forbidWrites(), crashNats))) return;
    damage.storesReadOnly++;
    log.debug({}, "the store of NATS takes no writes");
    last(store, 500 + rng.int(longestReadOnlyMs), async () => {
      await store.allowWrites();
      crashNats();
    });
  };
  const strikeDisks = async ({ store, rest }: Disks): Promise<void> => {
    const kind = rng.int(3);
    if (kind === 0) await fillDisk(rest);
    else if (kind === 1) await fillDisk(store);
    else await forbidStore(store);
  };
  /** One at a time: an episode that loses its cluster is tried again only so often. */
  const killCluster = (): void => {
    const pids = [...stack.clusterPids];
    if (pids.length < Math.max(2, clusters)) return;
    const [name, pid] = rng.pick(pids);
    log.debug({ name, pid }, "killed");
    if (send(pid, "SIGKILL")) damage.clustersKilled++;
  };
  const strikeService = async (isPause: boolean): Promise<void> => {
    const { pid, name, healthUrl } = rng.pick(stack.services);
    // On a slow machine nothing would ever get done if whatever starts were killed before it has started.
    if (pid === undefined || busy.has(pid) || !(await isReady(healthUrl))) return;
    if (!isPause) {
      log.debug({ name, pid }, "killed");
      if (send(pid, "SIGKILL")) damage.killed++;
    } else if (send(pid, "SIGSTOP")) {
      const ms = 200 + rng.int(options.longestPauseMs);
      log.debug({ name, pid, ms }, "paused");
      damage.paused++;
      last(pid, ms, () => void send(pid, "SIGCONT"));
    }
  };
  const strike = async (): Promise<void> => {
    const ways: readonly (readonly [share: number, begin: () => unknown])[] = [
      [shares.crash, () => crash(rng.pick(stack.servers))],
      [shares.pause, () => strikeService(true)],
      [shares.link, () => links.length > 0 && breakLink()],
      [shares.disk, () => disks && strikeDisks(disks)],
      [shares.cluster, killCluster],
    ];
    let left = rng.float();
    const way = ways.find(([share]) => {
      left -= share;
      return left < 0;
    });
    await (way ? way[1]() : strikeService(false));
  };
  while (!signal.aborted) {
    const ms = 1 + rng.int(2 * options.everyMs);
    await delay(ms, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await strike();
  }
  await Promise.all(lasting);
}

/** Kills until something can be done that running servers are in the way of; false: it could not. */
async function killedUntil(act: () => Promise<void>, kill: () => void): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries++) {
    kill();
    try {
      await act();
      return true;
    } catch {
      await delay(20);
    }
  }
  return false;
}

/** Its health was asked while NATS and Redis may be away, so it is enough that it answers and has started. */
async function isReady(healthUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(askWithinMs) });
    return !(await response.text()).includes("starting");
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
