import { setTimeout as delay } from "node:timers/promises";
import { createRng, type Logger } from "@microremed/core";
import type { Stack } from "@microremed/stack";

export interface Damage {
  killed: number;
  paused: number;
  natsCrashes: number;
  redisCrashes: number;
}

export const noDamage = (): Damage => ({ killed: 0, paused: 0, natsCrashes: 0, redisCrashes: 0 });

export interface SaboteurOptions {
  readonly seed: number;
  /** Mean time between two attacks, ms. */
  readonly everyMs: number;
  /** Share of attacks that pause a process instead of killing it. */
  readonly pauseShare: number;
  /** Share of attacks that crash NATS or Redis. */
  readonly serverShare: number;
  /** Longest pause, ms: longer than a claim lasts, so that others take over. */
  readonly longestPauseMs: number;
  readonly log: Logger;
}

/**
 * Kills (SIGKILL) and pauses (SIGSTOP, later SIGCONT) services, and crashes NATS and Redis, one after the other at
 * random until aborted, and counts it in `damage`; pauses overlap with what follows. Returns once every paused process
 * goes on.
 */
export async function sabotage(
  stack: Stack,
  options: SaboteurOptions,
  damage: Damage,
  signal: AbortSignal,
): Promise<void> {
  const rng = createRng(options.seed, "sabotage");
  const paused = new Set<number>();
  const pauses: Promise<void>[] = [];

  const pause = async (pid: number, ms: number): Promise<void> => {
    paused.add(pid);
    damage.paused++;
    await delay(ms, undefined, { signal }).catch(() => undefined);
    send(pid, "SIGCONT");
    paused.delete(pid);
  };
  const strike = (): void => {
    const kind = rng.float();
    if (kind < options.serverShare) {
      const server = rng.pick(stack.servers);
      if (!send(server.pid, "SIGKILL")) return;
      if (server.name === "nats") damage.natsCrashes++;
      else damage.redisCrashes++;
      return;
    }
    const { pid, name } = rng.pick(stack.services);
    if (pid === undefined || paused.has(pid)) return;
    if (kind < options.serverShare + options.pauseShare) {
      if (!send(pid, "SIGSTOP")) return;
      const ms = 200 + rng.int(options.longestPauseMs);
      options.log.debug({ name, pid, ms }, "paused");
      pauses.push(pause(pid, ms));
    } else if (send(pid, "SIGKILL")) {
      options.log.debug({ name, pid }, "killed");
      damage.killed++;
    }
  };
  while (!signal.aborted) {
    const ms = 1 + rng.int(2 * options.everyMs);
    await delay(ms, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) strike();
  }
  await Promise.all(pauses);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
