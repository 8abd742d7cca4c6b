import { BoundedArguments, CallId, ProblemRef, SessionId, Spent, TurnEnd } from "@microremed/contracts";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { whenGone } from "../http/when-gone.ts";
import { leaveProblem } from "../sessions/leave-problem.ts";
import { makeCall } from "../sessions/make-call.ts";
import { randomName } from "../sessions/open-session.ts";
import type { SessionDeps } from "../sessions/session-deps.ts";
import { TurnName } from "../sessions/turn-name.ts";
import { ownerOnly, tokenIn, waitSeconds } from "./sessions.ts";

const tags = ["sessions"];
const config = { access: ["agent", "researcher", "admin"] } as const;
const params = z.strictObject({ id: SessionId, problem: ProblemRef });

const turn = TurnName.optional().describe(
  "the only turn that is meant, as `next` has named it: in any other nothing is done. Default: the one that was handed out last",
);

const spent = Spent.optional().describe(
  "what the agent has used up since the last answer; stored as its own word",
);

const Call = z
  .strictObject({
    id: CallId.optional().describe(
      "of the agent's choice, another one for each call: a call that is sent again with it is made once. Default: a random one, with which a call that is sent again is another call",
    ),
    turn,
    tool: z.string().min(1).max(100),
    arguments: BoundedArguments.default({}),
    spent,
    waitSeconds,
  })
  .meta({ id: "Call" });

const Result = z
  .discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("answered"),
      id: CallId,
      text: z.string().describe("as models get it"),
      ran: z.boolean().describe("false: it was not run, and the text says why"),
      milliseconds: z.number().nullable().describe("that the tool took; null: it was not run"),
    }),
    z.strictObject({
      status: z.literal("ended").describe("the turn is over; ask for the next one"),
      id: CallId,
      ...TurnEnd.shape,
    }),
    z.strictObject({
      status: z.literal("pending").describe("it is under way; send the same call with the same id again"),
      id: CallId,
    }),
  ])
  .meta({ id: "CallResult" });

const Left = z
  .discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("ended").describe("the turn has ended"),
      problem: ProblemRef,
      ...TurnEnd.shape,
      how: TurnEnd.shape.how.describe("submitted, acted: it had ended so before"),
    }),
    z.strictObject({
      status: z.literal("pending").describe("no remediator has got it, or the turn goes on; send it again"),
      problem: ProblemRef,
    }),
  ])
  .meta({ id: "LeaveResult" });

/** What an agent does in its problem. */
export function addSessionCalls(app: App, deps: SessionDeps): void {
  app.route({
    config,
    method: "POST",
    url: "/sessions/:id/problems/:problem/calls",
    schema: {
      ...{ tags, summary: "Call a tool" },
      description:
        "One of the tools of the turn, with the rights, limits and records of a model's call. `submit` hands in the answer, or says that the system is repaired. Calls of one problem are made one after the other.",
      params,
      body: Call,
      response: { 200: Result, 202: Result },
    },
    handler: async (request, reply) => {
      const { id = `g-${randomName(16)}`, tool, arguments: args, spent, waitSeconds: seconds } = request.body;
      const { turn: meant } = request.body;
      Object.assign(request.noted, {
        session: request.params.id,
        problem: request.params.problem,
        tool,
        call: id,
      });
      const result = await makeCall(deps, {
        ...{
          sessionId: request.params.id,
          problem: request.params.problem,
          tokenId: ownerOnly(tokenIn(request)),
        },
        ...{ call: { id, tool, arguments: JSON.stringify(args) }, spent, meant },
        ...{ waitMs: seconds * 1000, signal: whenGone(reply) },
      });
      return reply.code(result.status === "pending" ? 202 : 200).send({ ...result, id });
    },
  });

  app.route({
    config,
    method: "POST",
    url: "/sessions/:id/problems/:problem/leave",
    schema: {
      ...{ tags, summary: "Give a problem up" },
      description: "A question has no answer then; what was changed in the system is measured as it is.",
      params,
      body: z
        .strictObject({
          reason: z.string().max(500).default(""),
          turn,
          spent,
          waitSeconds: waitSeconds.default(10),
        })
        .prefault({}),
      response: { 200: Left, 202: Left },
    },
    handler: async (request, reply) => {
      const { id, problem } = request.params;
      const { reason, turn: meant, spent: used, waitSeconds: seconds } = request.body;
      Object.assign(request.noted, { session: id, problem });
      const result = await leaveProblem(deps, {
        ...{ sessionId: id, problem, tokenId: ownerOnly(tokenIn(request)), reason, spent: used, meant },
        ...{ waitMs: seconds * 1000, signal: whenGone(reply) },
      });
      return reply.code(result.status === "pending" ? 202 : 200).send({ ...result, problem });
    },
  });
}
