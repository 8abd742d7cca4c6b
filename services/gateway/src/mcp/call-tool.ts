import { BoundedArguments, type Spent, type TurnEnd, wrongLines } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { findSession } from "../sessions/find-session.ts";
import { makeCall } from "../sessions/make-call.ts";
import { nextProblem } from "../sessions/next-problem.ts";
import { randomName } from "../sessions/open-session.ts";
import type { McpDeps, McpWorker } from "./mcp-deps.ts";
import { nextText } from "./problem-text.ts";

/** The tool by which an agent gets its next problem. */
export const nextTool = {
  name: "next_problem",
  description:
    "Get the problem to work on: its words, and what may be used up. Call it first, and again after submit. Asked again it says the same.",
  parameters: { type: "object", properties: {} },
} as const;

/** How long one request for a problem waits, and one call of a tool takes at most, ms: clients give up after a minute. */
const nextMs = 45_000;
const callMs = 330_000;

/** A call of a tool as a client makes it. */
export interface AskedTool {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly spent: Spent | undefined;
}

/** A tool's result as MCP has it. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** The turn has answered it, and so counts it, though the tool may not have run. */
  readonly isAnswered?: true;
  /** Other tools may be on offer now. */
  readonly isNewTurn: boolean;
}

/** Calls a tool for a worker. What an agent gets wrong is the result; what the range gets wrong is thrown. */
export async function callTool(deps: McpDeps, worker: McpWorker, asked: AskedTool): Promise<ToolResult> {
  const { name } = asked;
  if (name === nextTool.name) {
    const next = await nextProblem(deps, { ...worker, waitMs: nextMs });
    return { text: nextText(next), isError: false, isNewTurn: true };
  }
  try {
    return await callInProblem(deps, worker, asked);
  } catch (thrown) {
    const { code, message } = AppError.from(thrown);
    if (code !== "turn-over" && code !== "too-many-requests") throw thrown;
    return { text: message, isError: true, isNewTurn: false };
  }
}

async function callInProblem(
  deps: McpDeps,
  { sessionId, worker, tokenId, signal, meant }: McpWorker,
  { name: tool, args, spent }: AskedTool,
): Promise<ToolResult> {
  const { seats } = await findSession(deps, sessionId, tokenId);
  const seat = seats.find((one) => one.worker === worker);
  if (!seat)
    return { text: "There is no problem yet: call next_problem first.", isError: true, isNewTurn: false };
  const bounded = BoundedArguments.safeParse(args);
  if (!bounded.success) return { text: wrongLines(bounded.error), isError: true, isNewTurn: false };
  const call = { id: `m-${randomName(16)}`, tool, arguments: JSON.stringify(args) };
  const asked = { sessionId, problem: seat.problem, tokenId, call, spent, meant, waitMs: callMs, signal };
  const result = await makeCall(deps, asked);
  switch (result.status) {
    case "answered":
      return { text: result.text, isError: !result.ran, isAnswered: true, isNewTurn: false };
    case "ended":
      return { text: `${endingOf(result)} Call next_problem.`, isError: false, isNewTurn: true };
    case "pending":
      return { text: `The tool has not answered for ${callMs / 1000} s.`, isError: true, isNewTurn: false };
    default:
      return result satisfies never;
  }
}

function endingOf({ how, reason }: TurnEnd): string {
  if (how === "submitted") return "It was submitted.";
  return how === "acted" ? "It was handed in." : `The turn is over: ${reason}.`;
}
