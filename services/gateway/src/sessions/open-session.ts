import { randomBytes } from "node:crypto";
import {
  type ExperimentRequest,
  type SessionRecord,
  sessionModel,
  type TokenRecord,
} from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { readWanted } from "../routes/submit-to.ts";
import { askTurns } from "./ask-range.ts";
import type { SessionDeps } from "./session-deps.ts";
import { experimentOf, type SessionRequest } from "./session-request.ts";
import { startExperiment } from "./start-experiment.ts";

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
 * When the experiment of a session starts: as it is opened, or when its agent first asks for a problem. Programs connect to an MCP
 * server only to see what it has.
 */
export type Start = "at-once" | "on-demand";

/**
 * Opens a session, with an experiment of its own or for one that names the agent. Throws `forbidden`, `invalid-request`,
 * `unknown-experiment`, and `too-many-requests` when the token has as many sessions as it may.
 */
export async function openSession(
  deps: SessionDeps,
  token: TokenRecord,
  request: SessionRequest,
  start: Start = "at-once",
): Promise<Opened> {
  assertAgent(token, request);
  const { agent, experiment } = request;
  const id = `s${randomName(20)}`;
  const session: SessionRecord = {
    ...{ id, tokenId: token.id, agent, model: sessionModel(agent), openedAt: deps.now() },
    experimentId: experiment ?? `session-${randomName(12)}`,
    owned: experiment === undefined,
    silenceSeconds: request.silenceSeconds,
    problemsPerHour: token.problemsPerHour,
  };
  if (experiment !== undefined) return joining(deps, token, session);
  const wanted = readWanted(experimentOf(request, session.experimentId, deps.problems));
  if (start === "at-once") return withOwn(deps, token, session, wanted);
  const later = { ...session, wanted };
  await store(deps, token, later);
  return { session: later, episodes: 0 };
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

async function joining(deps: SessionDeps, token: TokenRecord, session: SessionRecord): Promise<Opened> {
  const { experimentId, model } = session;
  const { silenceSeconds, episodes, experiment } = await askTurns(deps, { experimentId, model });
  if (experiment !== "running") throw terminal("invalid-request", `${experimentId} is ${experiment}`);
  const joined = { ...session, silenceSeconds };
  await store(deps, token, joined);
  return { session: joined, episodes };
}

/** The session first: without it no process would know that an experiment has lost its agent. */
async function withOwn(
  deps: SessionDeps,
  token: TokenRecord,
  session: SessionRecord,
  wanted: ExperimentRequest,
): Promise<Opened> {
  await store(deps, token, session);
  try {
    const { episodes } = await startExperiment(deps, token, wanted);
    return { session, episodes };
  } catch (thrown) {
    await giveUp(deps, session, AppError.from(thrown));
    throw thrown;
  }
}

/**
 * Of a session that could not be opened nothing is left. Unless it was refused, its experiment may have started nevertheless: it is
 * cancelled. Where that fails too, the session stays, and ends both by its silence.
 */
async function giveUp(
  { sessions, client, log }: SessionDeps,
  session: SessionRecord,
  { code, message }: AppError,
): Promise<void> {
  const wasRefused = code === "invalid-request" || code === "too-many-requests";
  try {
    if (!wasRefused) await client.cancel(session.experimentId);
    await sessions.close(session);
  } catch {
    log.warn(
      { session: session.id, error_message: message },
      "a session that was not opened ends by its silence",
    );
  }
}

async function store(
  { sessions }: SessionDeps,
  { mostSessions }: TokenRecord,
  session: SessionRecord,
): Promise<void> {
  if (await sessions.open(session, mostSessions)) return;
  const message = `the token has ${mostSessions} open sessions, as many as it may; close one (DELETE /v1/sessions/<id>)`;
  throw new AppError("too-many-requests", message, { severity: "retryable", retryAfterMs: 10_000 });
}
