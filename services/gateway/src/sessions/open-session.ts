import { randomBytes } from "node:crypto";
import { type SessionRecord, sessionModel, type TokenRecord } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { readWanted } from "../routes/submit-to.ts";
import { planWanted } from "./plan-wanted.ts";
import { budgetsOf } from "./session-budgets.ts";
import type { SessionDeps } from "./session-deps.ts";
import { experimentOf, type SessionRequest } from "./session-request.ts";
import { startedTurns } from "./start-experiment.ts";

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Random, of small letters and digits. */
export function randomName(length: number): string {
  return [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join("");
}

/** A session that was opened. */
export interface Opened {
  readonly session: SessionRecord;
  /** That its experiment has. */
  readonly episodes: number;
}

/**
 * Opens a session, with an experiment of its own or for one that names the agent. Its own experiment starts when the agent first asks for
 * a problem, so that who opens sessions and asks for nothing holds no arena. Throws `forbidden`, `invalid-request`,
 * `unknown-experiment`, and `too-many-requests` when the token has as many sessions as it may.
 */
export async function openSession(
  deps: SessionDeps,
  token: TokenRecord,
  request: SessionRequest,
): Promise<Opened> {
  assertAgent(token, request);
  // What follows costs more: planning, or starting what another session has planned.
  if ((await deps.sessions.count(token.id)) >= token.mostSessions) throw tooManySessions(token);
  const { agent, experiment } = request;
  const session: SessionRecord = {
    ...{ id: `s${randomName(20)}`, tokenId: token.id, agent, model: sessionModel(agent) },
    openedAt: deps.now(),
    experimentId: experiment ?? `session-${randomName(12)}`,
    owned: experiment === undefined,
    silenceSeconds: request.silenceSeconds,
    problemsPerHour: token.problemsPerHour,
  };
  if (experiment !== undefined) return joining(deps, token, session);
  const named = experimentOf(request, {
    id: session.experimentId,
    budgets: budgetsOf(request, token.scope, deps.limits),
    problems: deps.catalogue.problems,
  });
  const wanted = readWanted({ ...named, owner: token.id });
  const episodes = planWanted(request, wanted, token, deps.catalogue);
  const owning = { ...session, wanted };
  await store(deps, token, owning);
  return { session: owning, episodes };
}

/** A token for agents says which agent; one for researchers may try any. */
function assertAgent({ scope, name, opens }: TokenRecord, { agent, experiment }: SessionRequest): void {
  if (scope !== "agent") return;
  const [own] = agent.split("@");
  if (name !== "*" && own !== name)
    throw terminal("forbidden", `the token is for the agent ${name}, not ${own}`);
  if (!opens && experiment === undefined)
    throw terminal(
      "forbidden",
      "the token may join experiments that name its agent, and open no sessions of its own choice; say which `experiment`",
    );
}

/** One that another session of the token has opened, and that was not asked for yet, starts now. */
async function joining(deps: SessionDeps, token: TokenRecord, session: SessionRecord): Promise<Opened> {
  const { experimentId } = session;
  const own = await deps.sessions.list(token.id);
  const opener = own.find((one) => one.wanted && one.experimentId === experimentId);
  const asked = opener?.model === session.model ? opener : session;
  const { silenceSeconds, episodes, experiment, owner } = await startedTurns(deps, asked);
  // What another token's session has opened for itself is not there, as before it started.
  if (owner !== undefined && owner !== token.id)
    throw terminal(
      "unknown-experiment",
      `no experiment ${JSON.stringify(experimentId)} with episodes for ${session.model} is known`,
    );
  if (experiment !== "running") throw terminal("invalid-request", `${experimentId} is ${experiment}`);
  const joined = { ...session, silenceSeconds };
  await store(deps, token, joined);
  return { session: joined, episodes };
}

async function store({ sessions }: SessionDeps, token: TokenRecord, session: SessionRecord): Promise<void> {
  if (!(await sessions.open(session, token.mostSessions))) throw tooManySessions(token);
}

function tooManySessions({ mostSessions }: TokenRecord): AppError {
  const message = `the token has ${mostSessions} open sessions, as many as it may; close one (DELETE /v1/sessions/<id>)`;
  return new AppError("too-many-requests", message, { severity: "retryable", retryAfterMs: 10_000 });
}
