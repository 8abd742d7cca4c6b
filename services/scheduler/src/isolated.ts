import { AppError } from "@microremed/core";
import type { SchedulerDeps } from "./service.types.ts";

/** What the work was about, for the log. */
export type About = Readonly<Record<string, string | number>>;

/**
 * Does one piece of work among others, so that what is wrong with it does not stop them: an error is logged, with
 * what the work was about.
 */
export async function isolated(
  { log }: Pick<SchedulerDeps, "log">,
  what: string,
  work: () => Promise<void>,
  about: About = {},
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const { code, message } = AppError.from(thrown);
    log.warn({ ...about, error_code: code, error_message: message }, `${what} failed`);
  }
}
