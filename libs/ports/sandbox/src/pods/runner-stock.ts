import { setTimeout as delay } from "node:timers/promises";
import { AppError, type Logger, retryable } from "@microremed/core";
import type { RunnerHost } from "./runner-host.types.ts";
import type { RunnerSettings } from "./runner-settings.ts";
import { leastLifeMs, type Runner, type RunnerNeed, startRunner, vouchMs } from "./start-runner.ts";

/** The pods of one executor: those that wait, and how many there are in all. Disposing it deletes those that wait. */
export interface RunnerStock extends AsyncDisposable {
  readonly counts: Readonly<Record<"waiting" | "starting" | "taken", number>>;
  /** Aborted when the stock is disposed. */
  readonly stopping: AbortSignal;
  /** One that waits, or a new one; undefined where there is no room. It counts as taken then. */
  find(need: RunnerNeed, signal: AbortSignal): Promise<Runner | undefined>;
  /** Deletes one that was taken. */
  giveBack(runner: Runner): Promise<void>;
  /** Resolves at the next change of the counts, after a second, or with the signal. */
  change(signal: AbortSignal): Promise<void>;
}

/** A pod waits no longer than this, ms. */
const waitsMs = leastLifeMs / 2;
const pauses = [1_000, 5_000, 15_000, 60_000];
/** More names than clusters can have between them. */
const maxNames = 64;
const changeWithinMs = 1_000;

/** Keeps so many pods waiting that a run need not wait for one, and never has more than may be. */
export function createRunnerStock(
  host: RunnerHost,
  settings: RunnerSettings,
  { log, names = [] }: { readonly log: Logger; readonly names?: readonly string[] },
): RunnerStock {
  const stopping = new AbortController();
  const waiting = new Set<Runner>();
  const changed = new Set<() => void>();
  const work = new Set<Promise<unknown>>();
  /** Names of all that were asked for: a pod's names are fixed when it is made. */
  let known: readonly string[] = names;
  let starting = 0;
  let taken = 0;
  let filling: Promise<void> | undefined;

  const notify = (): void => {
    for (const wake of [...changed]) wake();
  };
  const doing = <T>(promise: Promise<T>): Promise<T> => {
    const kept = promise.catch(() => undefined).finally(() => work.delete(kept));
    work.add(kept);
    return promise;
  };
  const hasRoom = (): boolean => waiting.size + starting + taken < settings.most;
  const start = async (need: RunnerNeed, signal: AbortSignal, take: (runner: Runner) => void) => {
    starting += 1;
    try {
      const runner = await doing(startRunner(host, settings, need, { log, signal }));
      // Counted as what it becomes before it is no longer counted as starting.
      take(runner);
      return runner;
    } finally {
      starting -= 1;
      notify();
    }
  };
  const drop = (runner: Runner): void => {
    if (!waiting.delete(runner)) return;
    void doing(runner.remove());
    notify();
  };
  /** Pods that were made before a name was known, which every later run may need. */
  const dropMisfits = (): void => {
    for (const runner of waiting) if (!known.every((name) => runner.names.includes(name))) drop(runner);
  };
  const refill = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted && waiting.size + starting < settings.warm && hasRoom()) {
      try {
        const need = { names: known, timeoutMs: 0 };
        const runner = await start(need, stopping.signal, (one) => void waiting.add(one));
        failures = 0;
        void runner.tunnel.closed.then(() => drop(runner)).then(keepFull);
        dropMisfits();
      } catch (thrown) {
        if (stopping.signal.aborted) return;
        const pause = pauses[Math.min(failures++, pauses.length - 1)] ?? 0;
        log.warn(
          { why: AppError.from(thrown).message, again_ms: pause },
          "no runner pod could be kept waiting",
        );
        await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const keepFull = (): void => {
    if (stopping.signal.aborted) return;
    filling ??= refill().finally(() => {
      filling = undefined;
    });
  };
  const tend = (): void => {
    for (const runner of waiting) {
      if (runner.age() > waitsMs) drop(runner);
      else void doing(runner.vouch(vouchMs)).catch(() => undefined);
    }
    keepFull();
  };
  const tending = setInterval(tend, vouchMs / 5).unref();
  const remember = (wanted: readonly string[]): void => {
    const all = new Set([...known, ...wanted]);
    if (all.size === known.length) return;
    known = all.size <= maxNames ? [...all] : [...wanted];
    dropMisfits();
  };

  keepFull();
  return {
    get counts() {
      return { waiting: waiting.size, starting, taken };
    },
    stopping: stopping.signal,
    async find(need, signal) {
      remember(need.names);
      const found = [...waiting].find((runner) => fits(runner, need));
      if (found) {
        waiting.delete(found);
        taken += 1;
        keepFull();
        return found;
      }
      // Those that wait and do not fit make room.
      const [misfit] = waiting;
      if (!hasRoom() && misfit) drop(misfit);
      if (!hasRoom()) return undefined;
      return start({ ...need, names: known }, signal, () => {
        taken += 1;
      });
    },
    async giveBack(runner) {
      await doing(runner.remove());
      taken -= 1;
      notify();
      keepFull();
    },
    change: (signal) => nextChange(changed, signal),
    async [Symbol.asyncDispose]() {
      clearInterval(tending);
      stopping.abort(retryable("sandbox-unavailable", "the executor stops"));
      for (const runner of waiting) drop(runner);
      while (work.size > 0) await Promise.all(work);
      await filling;
    },
  };
}

const fits = (runner: Runner, { names, timeoutMs }: RunnerNeed): boolean =>
  runner.lasts(timeoutMs) && names.every((name) => runner.names.includes(name));

async function nextChange(changed: Set<() => void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = new AbortController();
  const late = delay(changeWithinMs, undefined, { signal: AbortSignal.any([signal, stop.signal]) });
  changed.add(resolve);
  try {
    await Promise.race([promise, late.catch(() => undefined)]);
  } finally {
    changed.delete(resolve);
    stop.abort();
  }
}
