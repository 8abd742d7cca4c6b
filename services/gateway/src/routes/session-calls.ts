import { BoundedArguments, CallId, ProblemRef, SessionId, Spent } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { whenGone } from "../http/when-gone.ts";
import { askTurn } from "../sessions/ask-range.ts";
import { findSession } from "../sessions/find-session.ts";
import { makeCall, meantTurn } from "../sessions/make-call.ts";
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

const Call = z
  .strictObject({
    id: CallId.optional().describe(
      "of the agent's choice, another one for each call: a call that is sent again with it is made once. Default: a random one, with which a call that is sent again is another call",
    ),
    turn,
    tool: z.string().min(1).max(100),
    arguments: BoundedArguments.default({}),
    spent: Spent.optional().describe(
      "what the agent has used up since the last answer; stored as its own word",
    ),
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
      how: z.enum(["submitted", "acted", "over"]),
      reason: z.string(),
    }),
    z.strictObject({
      status: z.literal("pending").describe("it is under way; send the same call with the same id again"),
      id: CallId,
    }),
  ])
  .meta({ id: "CallResult" });

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
          spent: Spent.optional().describe("what the agent has used up since its last call"),
        })
        .prefault({}),
      response: { 200: z.strictObject({ problem: ProblemRef }) },
    },
    handler: async (request) => {
      const { id, problem } = request.params;
      Object.assign(request.noted, { session: id, problem });
      const { seats } = await findSession(deps, id, ownerOnly(tokenIn(request)));
      const seat = seats.find((one) => one.problem === problem);
      if (!seat) throw terminal("turn-over", "the session does not have this problem");
      const { reason, turn: meant, spent } = request.body;
      const left = meantTurn(seat, meant);
      await askTurn(deps, {
        ...{ kind: "leave", episodeId: seat.episodeId, reason },
        ...(meant !== undefined && left && { turn: left }),
        ...(spent && { spent }),
      });
      return { problem };
    },
  });
}
