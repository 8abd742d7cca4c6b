import type { Bus } from "@microremed/bus";
import { GiveBackReply, type SolveCommand, subjects } from "@microremed/contracts";
import { AppError, type Logger } from "@microremed/core";

/** How long a scheduler may take to answer, ms. */
const timeoutMs = 5_000;

/** Whether others wait for the arena of a turn. False, and a warning, where no scheduler answers: it is asked again. */
export async function askWanted(
  { bus, log }: { readonly bus: Pick<Bus, "request">; readonly log: Pick<Logger, "warn"> },
  { episodeId, arena }: Pick<SolveCommand, "episodeId" | "arena">,
  isSilent: boolean,
): Promise<boolean> {
  const query = { episodeId, arena, isSilent };
  try {
    return (await bus.request(subjects.giveBack, query, { schema: GiveBackReply, timeoutMs })).giveBack;
  } catch (thrown) {
    const { message } = AppError.from(thrown);
    log.warn({ episode: episodeId, error_message: message }, "whether others wait for an arena is not known");
    return false;
  }
}
