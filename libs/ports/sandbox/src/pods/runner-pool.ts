import { type AppError, type Logger, retryable } from "@microremed/core";
import type { RunnerHost } from "./runner-host.types.ts";
import type { RunnerSettings } from "./runner-settings.ts";
import { createRunnerStock, type RunnerStock } from "./runner-stock.ts";
import { type Runner, type RunnerNeed, unavailable } from "./start-runner.ts";

/** Runner pods: some wait, each takes one run. Disposing it deletes those that wait. */
export interface RunnerPool extends AsyncDisposable {
  /**
   * A pod for one run; disposing it deletes it. Throws `sandbox-unavailable` (retryable), and the signal's reason.
   */
  take(need: RunnerNeed, signal?: AbortSignal): Promise<Runner & AsyncDisposable>;
  /** How many pods there are, by what they do. */
  readonly counts: RunnerStock["counts"];
}

/** For a pod while there are as many as may be, ms. */
const roomWithinMs = 300_000;

/** Pods that are tried for one run. */
const mostClaims = 3;

/** A pool whose pods are made on the host. `names`: those that a run is likely to need. */
export function createRunnerPool(
  host: RunnerHost,
  settings: RunnerSettings,
  options: { readonly log: Logger; readonly names?: readonly string[] },
): RunnerPool {
  const stock = createRunnerStock(host, settings, options);
  return {
    get counts() {
      return stock.counts;
    },
    async take(need, callers) {
      const signal = AbortSignal.any([...(callers ? [callers] : []), stock.stopping]);
      const askedAt = performance.now();
      const isLate = (): boolean => performance.now() - askedAt > roomWithinMs;
      for (let claims = 1; ; ) {
        signal.throwIfAborted();
        const runner = await stock.find(need, signal);
        if (!runner) {
          if (isLate()) throw full(settings.most);
          await stock.change(signal);
          continue;
        }
        try {
          await runner.claim(need.timeoutMs);
        } catch (thrown) {
          await stock.giveBack(runner);
          // One that waited may be gone since: another one is taken.
          if (claims++ >= mostClaims) throw unavailable(thrown);
          continue;
        }
        return { ...runner, [Symbol.asyncDispose]: () => stock.giveBack(runner) };
      }
    },
    [Symbol.asyncDispose]: () => stock[Symbol.asyncDispose](),
  };
}

const full = (most: number): AppError =>
  retryable(
    "sandbox-unavailable",
    `all ${most} runner pods have been taken for ${roomWithinMs / 1000} s; RUNNER_MOST allows more, where the namespace's quota does`,
  );
