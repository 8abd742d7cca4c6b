import type { ExperimentRequest, TokenRecord } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { submitTo } from "../routes/submit-to.ts";
import type { SessionDeps } from "./session-deps.ts";

/**
 * Submits the experiment of a session, and charges its problems to the session's token: each takes room in the range's state, also
 * when the session is closed at once. Throws `too-many-requests` when the token has started as many as it may, and
 * `invalid-request`.
 */
export async function startExperiment(
  { client, tokens }: Pick<SessionDeps, "client" | "tokens">,
  token: Pick<TokenRecord, "id" | "problemsPerHour">,
  wanted: ExperimentRequest,
): Promise<{ readonly episodes: number }> {
  const waitMs = await tokens.charge(token, 0);
  if (waitMs > 0) throw tooMany(token, waitMs);
  const { episodes } = await submitTo(client, wanted);
  await tokens.charge(token, episodes);
  return { episodes };
}

function tooMany({ problemsPerHour }: Pick<TokenRecord, "problemsPerHour">, waitMs: number): AppError {
  const message = `the sessions of the token have started ${problemsPerHour} problems within an hour, as many as they may; wait ${Math.ceil(waitMs / 1000)} s`;
  return new AppError("too-many-requests", message, { severity: "retryable", retryAfterMs: waitMs });
}
