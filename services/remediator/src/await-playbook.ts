import { setTimeout as delay } from "node:timers/promises";
import type { Bus, MessageContext } from "@microremed/bus";
import { PlaybookAnswer, type PlaybookAnswerReply, type SolveCommand, subjects } from "@microremed/contracts";
import { retryable, terminal } from "@microremed/core";

/**
 * Has a person's playbook for a turn handed to `take`, and replies to the person when that is through. Resolves to false
 * when none was submitted in `seconds`. Throws the reason of `stopping` when that is aborted before one was: the turn can
 * wait in another process. One that was submitted is taken first.
 */
export async function awaitPlaybook(
  bus: Pick<Bus, "serve">,
  { episodeId, attempt }: Pick<SolveCommand, "episodeId" | "attempt">,
  seconds: number,
  take: (playbook: string) => Promise<void>,
  { signal, stopping }: Pick<MessageContext, "signal" | "stopping">,
): Promise<boolean> {
  const taken = Promise.withResolvers<boolean>();
  let wait: "open" | "answered" | "left" = "open";
  const answer = async ({ playbook }: PlaybookAnswer): Promise<PlaybookAnswerReply> => {
    if (wait === "left") throw left(episodeId);
    if (wait === "answered")
      throw terminal("invalid-request", `attempt ${attempt} of ${episodeId} has its playbook already`);
    wait = "answered";
    await take(playbook).catch((error: unknown) => {
      taken.reject(error);
      throw error;
    });
    taken.resolve(true);
    return { attempt };
  };
  const leave = (): void => {
    if (wait !== "open") return;
    wait = "left";
    taken.reject(stopping.reason);
  };
  await using _served = await bus.serve(subjects.answer(episodeId), "remediator", PlaybookAnswer, answer);
  const waiting = new AbortController();
  const over = AbortSignal.any([signal, waiting.signal]);
  stopping.addEventListener("abort", leave);
  if (stopping.aborted) leave();
  try {
    return await Promise.race([taken.promise, delay(seconds * 1000, false, { signal: over })]);
  } finally {
    stopping.removeEventListener("abort", leave);
    waiting.abort();
  }
}

function left(episodeId: string): Error {
  return retryable(
    "bus-unreachable",
    `the remediator that waited for the playbook of ${episodeId} is stopping; submit it again`,
  );
}
