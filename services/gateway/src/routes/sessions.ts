import {
  AgentLabel,
  Budgets,
  ExperimentId,
  ExperimentStatus,
  OfferedTool,
  Outcome,
  ProblemRef,
  SessionId,
  TaskName,
  type TokenRecord,
  type TurnView,
  WorkerName,
} from "@microremed/contracts";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { whenGone } from "../http/when-gone.ts";
import { closeSession } from "../sessions/close-session.ts";
import { findSession } from "../sessions/find-session.ts";
import { heartbeat } from "../sessions/heartbeat.ts";
import { type Next, nextProblem } from "../sessions/next-problem.ts";
import { openSession } from "../sessions/open-session.ts";
import type { SessionDeps } from "../sessions/session-deps.ts";
import { SessionRequest } from "../sessions/session-request.ts";
import { shown, showSession } from "../sessions/show-session.ts";
import { TurnName, turnName } from "../sessions/turn-name.ts";

const tags = ["sessions"];
const config = { access: ["agent", "researcher", "admin"] } as const;
const params = z.strictObject({ id: SessionId });

const session = {
  id: SessionId,
  agent: AgentLabel,
  experiment: ExperimentId,
  openedAt: z.number().describe("wall clock, ms since the epoch"),
  silenceSeconds: z.int(),
};

/** Longest that a request waits for what it asks for, s: many proxies end it after a minute. */
const mostWait = 120;
/** How long a request waits, s. */
export const waitSeconds = z
  .number()
  .min(0)
  .max(mostWait)
  .default(50)
  .describe("longest that the answer waits for what is asked for, seconds");

/** How long a heartbeat waits, s: it asks for each turn again and again. */
const beatSeconds = z
  .number()
  .min(0)
  .max(10)
  .default(5)
  .describe("longest that it waits for turns that it has not reached, seconds");

const Limits = z.strictObject({
  attempts: z.int().describe("number of the last attempt that this task may have"),
  submitIsFinal: z
    .boolean()
    .describe(
      "no attempt at the task follows a submit: another one follows only an attempt that ended without it, its calls used up",
    ),
  probes: z.int().describe("calls of observing tools in this attempt"),
  ...Budgets.shape,
  silenceSeconds: z.int().describe("without a call or a heartbeat for so long, the agent is lost"),
});

const previous = {
  previous: z
    .strictObject({
      problem: ProblemRef,
      outcome: Outcome.nullable().describe("null: the request withholds it, or the session does not know"),
      reason: z
        .string()
        .optional()
        .describe("why it is over, such as the budget that is used up; absent: the session does not know"),
    })
    .optional()
    .describe("the worker's problem before; said again until the worker has called a tool in the next one"),
};

/** What a worker is to do. */
const NextBody = z
  .discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("problem"),
      problem: ProblemRef,
      attempt: z.int().min(1),
      turn: TurnName.describe(
        "name of this turn: a call that has it is refused in any other, such as the same attempt after its arena was lost",
      ),
      task: TaskName,
      mayAct: z.boolean().describe("whether something may be changed"),
      words: z.string().describe("the report and the question, or what came of the attempt before"),
      tools: z.array(OfferedTool),
      limits: Limits,
      calls: z.int().min(0).describe("that were made in this turn; 0: it has just begun"),
      ...previous,
    }),
    z.strictObject({ status: z.literal("waiting").describe("nothing is there yet; ask again"), ...previous }),
    z.strictObject({
      status: z.literal("done").describe("no problem is left"),
      episodes: z.int(),
      done: z.int(),
      ...previous,
    }),
  ])
  .meta({ id: "Next" });

const Heartbeat = z
  .strictObject({
    turns: z.int().describe("that are under way and got it"),
    unreached: z
      .int()
      .describe("that are under way and did not: their remediator has died, another one goes on"),
  })
  .meta({ id: "Heartbeat" });

/** Who may see the sessions of others. */
export const ownerOnly = ({ scope, id }: TokenRecord): string | undefined =>
  scope === "admin" ? undefined : id;

/** Of the request's own token; the route has asked for one. */
export const tokenIn = ({ token }: { readonly token: TokenRecord | null }): TokenRecord =>
  token as TokenRecord;

/** Opening, following and closing sessions. */
export function addSessions(app: App, deps: SessionDeps): void {
  app.route({
    config,
    method: "POST",
    url: "/sessions",
    schema: {
      ...{ tags, summary: "Open a session" },
      description:
        "With problems of the agent's own choice, which starts an experiment, or for an experiment that names the agent. Closing the session ends an experiment that it has started.",
      body: SessionRequest,
      response: {
        201: z.strictObject({ ...session, episodes: z.int().describe("problems, repeats included") }),
      },
    },
    handler: async (request, reply) => {
      const opened = await openSession(deps, tokenIn(request), request.body);
      Object.assign(request.noted, {
        session: opened.session.id,
        experiment_id: opened.session.experimentId,
      });
      return reply.code(201).send({ ...shown(opened.session), episodes: opened.episodes });
    },
  });

  app.route({
    config,
    method: "GET",
    url: "/sessions",
    schema: {
      ...{ tags, summary: "List open sessions" },
      description: "Those that the token has opened; an administrator's token lists all.",
      response: { 200: z.strictObject({ sessions: z.array(z.strictObject(session)) }) },
    },
    handler: async (request) => ({
      sessions: (await deps.sessions.list(ownerOnly(tokenIn(request)))).map(shown),
    }),
  });

  app.route({
    config,
    method: "GET",
    url: "/sessions/:id",
    schema: {
      ...{ tags, summary: "Show a session" },
      params,
      response: {
        200: z.strictObject({
          ...session,
          status: ExperimentStatus,
          episodes: z.int(),
          done: z.int(),
          workers: z.array(
            z.strictObject({
              ...{ worker: WorkerName, problem: ProblemRef },
              attempt: z
                .int()
                .nullable()
                .describe("null: it has not begun, or is the worker's problem before"),
              over: z.boolean().describe("no turn of the problem follows"),
              again: z.boolean().describe("another turn of it is there: ask for the next"),
              outcome: Outcome.nullable().describe(
                "null: it has none yet, the request withholds it, or the session does not know",
              ),
              reason: z.string().optional().describe("why it is over; absent: it is not, or it is not known"),
            }),
          ),
        }),
      },
    },
    handler: (request) => showSession(deps, request.params.id, ownerOnly(tokenIn(request))),
  });

  app.route({
    config,
    method: "POST",
    url: "/sessions/:id/next",
    schema: {
      ...{ tags, summary: "Get the turn that comes next" },
      description:
        "The turn that the worker is in, else the next attempt or task of its problem, else another problem. Asked again it says the same.",
      params,
      body: z.strictObject({ worker: WorkerName.default("main"), waitSeconds }).prefault({}),
      response: { 200: NextBody },
    },
    handler: async (request, reply) => {
      const { worker, waitSeconds: seconds } = request.body;
      request.noted["session"] = request.params.id;
      const next = await nextProblem(deps, {
        ...{ sessionId: request.params.id, worker, tokenId: ownerOnly(tokenIn(request)) },
        ...{ waitMs: seconds * 1000, signal: whenGone(reply) },
      });
      return nextBody(next);
    },
  });

  app.route({
    config,
    method: "DELETE",
    url: "/sessions/:id",
    schema: {
      ...{ tags, summary: "Close a session" },
      description:
        "Its agent leaves the experiment that it has started, unless that has ended: a problem in which it is its turn counts as not solved, and what it was not asked yet as not done.",
      params,
      response: { 200: z.strictObject({ id: SessionId }) },
    },
    handler: async (request) => {
      const { session: found } = await findSession(deps, request.params.id, ownerOnly(tokenIn(request)));
      request.noted["session"] = found.id;
      await closeSession(deps, found);
      return { id: found.id };
    },
  });
}

/** A sign of life of an agent that calls nothing. */
export function addHeartbeat(app: App, deps: SessionDeps): void {
  app.route({
    config,
    method: "POST",
    url: "/sessions/:id/heartbeat",
    schema: {
      ...{ tags, summary: "Say that the agent still thinks" },
      description:
        "A sign of life for the session, and for the turns of all its workers. 202: it has not reached all turns; send it again.",
      params,
      body: z.strictObject({ waitSeconds: beatSeconds }).prefault({}),
      response: { 200: Heartbeat, 202: Heartbeat },
    },
    handler: async (request, reply) => {
      const reached = await heartbeat(deps, {
        ...{ sessionId: request.params.id, tokenId: ownerOnly(tokenIn(request)) },
        ...{ waitMs: request.body.waitSeconds * 1000, signal: whenGone(reply) },
      });
      return reply.code(reached.unreached > 0 ? 202 : 200).send(reached);
    },
  });
}

/** Without what only the range needs. */
function nextBody(next: Next): z.output<typeof NextBody> {
  if (next.status !== "problem") return next;
  const { view, problem, status, ...rest } = next;
  const { turn, task, mayAct, words, tools, calls } = view;
  return {
    status,
    problem,
    attempt: turn.attempt,
    turn: turnName(turn),
    task,
    mayAct,
    words,
    tools,
    calls,
    limits: limitsOf(view),
    ...rest,
  };
}

const limitsOf = ({
  maxAttempts,
  submitIsFinal,
  maxProbes,
  budgets,
  silenceSeconds,
}: TurnView): z.output<typeof Limits> => ({
  ...{ attempts: maxAttempts, submitIsFinal: submitIsFinal === true, probes: maxProbes, silenceSeconds },
  ...budgets,
});
