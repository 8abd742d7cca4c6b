import { z } from "zod";
import { EpisodeId, ExperimentId, ModelName } from "../ids.ts";
import { ExperimentRequest } from "../messages/experiment-request.ts";
import { Outcome } from "./outcome.ts";
import { AgentLabel, ProblemsPerHour, TokenId } from "./token.ts";

/** In place of a model's queue: turns of all outside agents wait in it. */
export const sessionQueue = "session";
const prefix = `${sessionQueue}/`;

/** The model of episodes that an outside agent solves, as requests and reports have it: `session/<agent>`. */
export function sessionModel(agent: string): string {
  return `${prefix}${agent}`;
}

/** Whether a model's name means an outside agent. */
export function isSessionModel(model: string): boolean {
  return model.startsWith(prefix);
}

/** The queue in which the turns of a model wait: its own, or that of all outside agents. */
export function queueOfModel(model: string): string {
  return isSessionModel(model) ? sessionQueue : model;
}

/** Name of one of several workers of an agent. */
export const WorkerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "letters, digits, dots, dashes and underscores, at most 63");

/** By what an agent knows a problem: random, so that it says nothing of which problem it is. */
export const ProblemRef = z.string().regex(/^p[a-z0-9]{12}$/, "a problem of this session");

/** By what its agent knows a session; other tokens than that which opened it can do nothing with it. */
export const SessionId = z.string().regex(/^s[a-z0-9]{20}$/, "the id of a session");

/** What a turn is known by within its episode. */
export const TurnKey = z.strictObject({ trial: z.int().min(1), attempt: z.int().min(1) });
export type TurnKey = z.infer<typeof TurnKey>;

/** An outside agent's way to the episodes of one experiment. */
export const SessionRecord = z.strictObject({
  id: SessionId,
  tokenId: TokenId.describe("of who opened it"),
  experimentId: ExperimentId,
  agent: AgentLabel,
  model: ModelName.describe("of the episodes that it may have"),
  owned: z.boolean().describe("it opened its experiment, which ends with it"),
  silenceSeconds: z.int().min(1).max(3600).describe("without a request for so long, it counts as lost"),
  wanted: ExperimentRequest.optional().describe(
    "the experiment that starts when its agent first asks for a problem; absent: it was started with the session",
  ),
  problemsPerHour: ProblemsPerHour.describe("of its token"),
  openedAt: z.number().describe("wall clock, ms since the epoch"),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

/** What one of a session's workers works on. */
export const Seat = z.strictObject({
  problem: ProblemRef,
  worker: WorkerName,
  episodeId: EpisodeId,
  turn: TurnKey.nullable().describe("that was handed out last; null: none was"),
});
export type Seat = z.infer<typeof Seat>;

/** The last problem of a worker that is over. */
export const EndedProblem = z.strictObject({
  problem: ProblemRef,
  worker: WorkerName,
  outcome: Outcome.nullable().describe("null: the request withholds it, or the session does not know"),
  reason: z.string().optional().describe("why it is over, as its agent may know; absent: not known"),
});
export type EndedProblem = z.infer<typeof EndedProblem>;
