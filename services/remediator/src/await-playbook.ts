import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "@microremed/bus";
import { PlaybookAnswer, type PlaybookAnswerReply, type SolveCommand, subjects } from "@microremed/contracts";
import { terminal } from "@microremed/core";

/**
 * Has a person's playbook for a turn handed to `take`, and replies to the person when that is through. Resolves to false
 * when none was submitted in `seconds`.
 */
export async function awaitPlaybook(
  bus: Pick<Bus, "serve">,
  { episodeId, attempt }: Pick<SolveCommand, "episodeId" | "attempt">,
  seconds: number,
  take: (playbook: string) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const taken = Promise.withResolvers<boolean>();
  let isFirst = true;
  const answer = async ({ playbook }: PlaybookAnswer): Promise<PlaybookAnswerReply> => {
    if (!isFirst)
      throw terminal("invalid-request", `attempt ${attempt} of ${episodeId} has its playbook already`);
    isFirst = false;
    await take(playbook).catch((error: unknown) => {
      taken.reject(error);
      throw error;
    });
    taken.resolve(true);
    return { attempt };
  };
  await using _served = await bus.serve(subjects.answer(episodeId), "remediator", PlaybookAnswer, answer);
  const waiting = new AbortController();
  const over = AbortSignal.any([signal, waiting.signal]);
  try {
    return await Promise.race([taken.promise, delay(seconds * 1000, false, { signal: over })]);
  } finally {
    waiting.abort();
  }
}
