import { AsyncLocalStorage } from "node:async_hooks";
import { AppError, type Logger } from "@microremed/core";

/** Work that is done again on request, and every now and then. */
export interface RepeatedWork extends AsyncDisposable {
  /** Do it soon; asking while it runs has it run once more. */
  soon(): void;
}

export interface RepeatedWorkOptions {
  readonly what: string;
  /** Wall clock between two runs without a request, ms. */
  readonly everyMs: number;
  readonly log: Logger;
}

/** Never runs twice at once in one process; disposing lets it finish what was asked for. A run that throws is logged; the next one tries again. */
export function createRepeatedWork(work: () => Promise<void>, options: RepeatedWorkOptions): RepeatedWork {
  const { what, everyMs, log } = options;
  // The work is not a part of whatever trace happened to ask for it.
  const outside = AsyncLocalStorage.snapshot();
  let asked = false;
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    while (asked) {
      asked = false;
      try {
        await work();
      } catch (thrown) {
        const { code, message } = AppError.from(thrown);
        log.warn({ error_code: code, error_message: message }, `${what} failed; it is tried again`);
        break;
      }
    }
    running = undefined;
  };
  const soon = (): void => {
    asked = true;
    running ??= outside(run);
  };
  const timer = setInterval(soon, everyMs);
  return {
    soon,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
