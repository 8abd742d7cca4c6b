import type { OracleVerdict } from "@microremed/contracts";
import type { Clock } from "@microremed/core";

/** Cluster time, ms, between two readings of the pods. */
const readEveryMs = 30_000;
/**
 * A container that the fault or the repair has asked to end may serve until its grace period is over (30 s by default),
 * and only then be started again: restarts within this time of the recovery are still of the repair. Cluster time, ms.
 */
const graceMs = 90_000;
/** Two checks in a row must fail: one may by chance. */
const tries = 2;

export interface SoakOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Cluster time, s. */
  readonly seconds: number;
  /** The pods of the target and their restarts, now. */
  readonly readInstances: () => Promise<string>;
  /** All oracles, over requests that are counted from the check before it on. */
  readonly check: () => Promise<readonly OracleVerdict[]>;
  /** Cluster time, ms, between two checks. */
  readonly betweenMs: number;
}

/**
 * Waits and checks again: a recovery must outlast its verification. Undefined: the system is still healthy; else the
 * reason why it is not.
 */
export async function soak(options: SoakOptions): Promise<string | undefined> {
  const { clock, signal, seconds, readInstances, check, betweenMs } = options;
  const startedAt = await clock.now();
  const endsAt = startedAt + seconds * 1000;
  let instances: string | undefined;
  for (let left = seconds * 1000; left > 0; left = endsAt - (await clock.now())) {
    await clock.sleep(Math.min(left, readEveryMs), signal);
    const now = await readInstances();
    if (instances !== undefined && now !== instances)
      return "a pod of the target was replaced or restarted by itself";
    if ((await clock.now()) - startedAt >= graceMs) instances = now;
  }
  let reason = "";
  for (let tried = 0; tried < tries; tried++) {
    const failed = (await check()).filter(({ passed }) => !passed);
    if (failed.length === 0) return undefined;
    reason = failed.map((verdict) => `${verdict.oracle}: ${verdict.reason}`).join("; ");
    await clock.sleep(betweenMs, signal);
  }
  return reason;
}
