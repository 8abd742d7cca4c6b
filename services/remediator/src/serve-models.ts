import { setTimeout as delay } from "node:timers/promises";
import { AppError, type Logger } from "@microremed/core";
import { matchesPattern } from "./matches-pattern.ts";

export interface ServeModelsOptions {
  /** Which models are ours. */
  readonly patterns: readonly string[];
  /** Models known from the start. */
  readonly names: readonly string[];
  /** Starts taking the turns of one model; disposing ends it. */
  readonly serve: (model: string) => Promise<AsyncDisposable>;
  /** Models with unfinished turns, known or not. */
  readonly waiting: () => Promise<readonly string[]>;
  readonly log: Logger;
  /** Between two checks for waiting turns, ms. */
  readonly checkEveryMs?: number;
  /** An unlisted model is let go when it has had nothing to do for so long, ms. */
  readonly idleMs?: number;
}

/** Bounds what requests can make us open by naming ever new models. */
const mostUnnamed = 500;

/**
 * Serves each model on its own: those that are known, and, as their turns turn up, those that are not (an endpoint for
 * every other name may have them; else their episodes must get that answer).
 */
export async function serveModels(options: ServeModelsOptions): Promise<AsyncDisposable> {
  const { patterns, names, serve, waiting, log, checkEveryMs = 1_000, idleMs = 60_000 } = options;
  const ours = (model: string): boolean => matchesPattern(model, patterns);
  await using known = new AsyncDisposableStack();
  for (const model of names.filter(ours)) known.use(await serve(model));
  const unnamed = new Map<string, { readonly served: AsyncDisposable; seenAt: number }>();

  const check = async (): Promise<void> => {
    const now = performance.now();
    for (const model of await waiting()) {
      if (names.includes(model) || !ours(model)) continue;
      const found = unnamed.get(model);
      if (found) found.seenAt = now;
      else if (unnamed.size < mostUnnamed) unnamed.set(model, { served: await serve(model), seenAt: now });
      else log.warn({ model }, "too many models that are not in the models file; this one waits");
    }
    for (const [model, { served, seenAt }] of unnamed) {
      if (now - seenAt < idleMs) continue;
      unnamed.delete(model);
      await served[Symbol.asyncDispose]();
    }
  };
  const stopping = new AbortController();
  const checking = (async () => {
    while (!stopping.signal.aborted) {
      await check().catch((thrown: unknown) => {
        log.warn(
          { error_message: AppError.from(thrown).message },
          "the search for models with waiting turns failed",
        );
      });
      await delay(checkEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  const owned = known.move();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await checking;
      await Promise.all([...unnamed.values()].map(({ served }) => served[Symbol.asyncDispose]()));
      await owned.disposeAsync();
    },
  };
}
