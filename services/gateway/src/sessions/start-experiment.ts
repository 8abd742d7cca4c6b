import type { ExperimentRequest, SessionRecord, TokenRecord } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { askTurns } from "./ask-range.ts";
import type { SessionDeps } from "./session-deps.ts";

/** The turns of a session's experiment, which starts when it is first asked for; submitted twice, it is the same one. */
export async function startedTurns(
  deps: Pick<SessionDeps, "bus" | "client" | "tokens" | "sessions" | "log">,
  session: SessionRecord,
): ReturnType<typeof askTurns> {
  const { experimentId, model, wanted } = session;
  try {
    return await askTurns(deps, { experimentId, model });
  } catch (thrown) {
    if (!wanted || AppError.from(thrown).code !== "unknown-experiment") throw thrown;
    await startExperiment(deps, session, wanted);
    return askTurns(deps, { experimentId, model });
  }
}

/**
 * Submits the experiment of a session; any number of its workers may, it is one. Its problems are charged to the session's token: each
 * takes room in the range's state, also when the session is closed at once. Throws `too-many-requests` when the token has started as
 * many as it may, and `conflict` where the range cannot run what this gateway has planned.
 */
async function startExperiment(
  { client, tokens, sessions, log }: Pick<SessionDeps, "client" | "tokens" | "sessions" | "log">,
  { id, tokenId, problemsPerHour }: Pick<SessionRecord, "id" | "tokenId" | "problemsPerHour">,
  wanted: ExperimentRequest,
): Promise<void> {
  const token = { id: tokenId, problemsPerHour };
  const waitMs = await tokens.charge(token, 0);
  if (waitMs > 0) throw tooMany(token, waitMs);
  const reply = await client.submit(wanted);
  if (reply.status === "rejected") {
    log.warn({ session: id, issues: reply.issues }, "the scheduler refuses what this gateway has planned");
    throw terminal("conflict", otherCatalogue);
  }
  if (reply.created) await tokens.charge(token, reply.episodes);
  // Closed meanwhile, when there was nothing to cancel.
  if (!(await sessions.use(id))) await client.cancel(reply.experimentId, "agent");
}

/** Names in the scheduler's answer are none that an agent has sent. */
const otherCatalogue =
  "the range cannot run these problems: its scheduler knows others than its gateway; say so to who runs the range";

function tooMany({ problemsPerHour }: Pick<TokenRecord, "problemsPerHour">, waitMs: number): AppError {
  const message = `the sessions of the token have started ${problemsPerHour} problems within an hour, as many as they may; wait ${Math.ceil(waitMs / 1000)} s`;
  return new AppError("too-many-requests", message, { severity: "retryable", retryAfterMs: waitMs });
}
