import { type AppError, harnessVersion } from "@microremed/core";
import { z } from "zod";
import { Action } from "../episode/action.ts";
import { CaseRequest } from "../episode/case-request.ts";

// OpenEnv's protocol as its Python package openenv-core 0.3.0 has it (openenv/core/env_server/types.py and http_server.py).

/** Codes of errors over a WebSocket. */
export type WsErrorCode =
  | "INVALID_JSON"
  | "UNKNOWN_TYPE"
  | "VALIDATION_ERROR"
  | "EXECUTION_ERROR"
  | "CAPACITY_REACHED"
  | "SESSION_ERROR";

/** An action of OpenEnv's MCP clients: the same as a call of a tool, or the question which tools there are. */
const McpAction = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("list_tools"), metadata: z.record(z.string(), z.unknown()).optional() }),
  z.strictObject({
    type: z.literal("call_tool"),
    tool_name: z.string().min(1).max(100),
    arguments: z.record(z.string(), z.unknown()).default({}),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
]);

/** What a step takes. */
export const AnyAction = z.union([Action, McpAction]);
export type AnyAction = z.output<typeof AnyAction>;

/** POST /step: OpenEnv's fields, and the episode. The action is read by itself, so that its errors are its own. */
export const StepRequest = z.strictObject({
  episode_id: z.string().min(1).max(255).describe("as the reset's observation says"),
  action: z.unknown(),
  timeout_s: z.number().positive().max(3_600).nullish(),
  request_id: z.string().max(255).nullish(),
});

/** POST /fork. */
export const ForkRequest = z.strictObject({
  episode_id: z.string().min(1).max(255),
  n: z.int().min(1).describe("episodes that go on from this one"),
});

/** GET /cases. */
export const CasesRequest = z.strictObject({ suite: z.string().min(1).max(253) });

/** Messages of a WebSocket; `fork` is ours. */
export const Incoming = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("reset"), data: z.record(z.string(), z.unknown()).default({}) }),
  z.strictObject({ type: z.literal("step"), data: z.record(z.string(), z.unknown()) }),
  z.strictObject({ type: z.literal("state") }),
  z.strictObject({ type: z.literal("fork"), data: z.strictObject({ n: z.int().min(1) }) }),
  z.strictObject({ type: z.literal("close") }),
]);
export type Incoming = z.output<typeof Incoming>;

/** Every type of message, for errors. */
export const messageTypes = Incoming.options.map(({ shape }) => shape.type.value);

/** GET /metadata. */
export const metadata = {
  name: "microremed",
  description:
    "Incidents in simulated microservice systems on Kubernetes: detect, localize, explain and repair them with the tools of an operator. The reward follows what was measured on the system.",
  readme_content: null,
  version: harnessVersion,
  author: "MicroRemed",
  documentation_url: null,
};

const Observation = z.looseObject({
  episode_id: z.string(),
  text: z.string().describe("what the agent is given"),
  task: z.string(),
  may_act: z.boolean(),
  attempt: z.int(),
  step_count: z.int(),
  max_steps: z.int(),
  tools: z
    .array(z.looseObject({ name: z.string() }))
    .optional()
    .describe("only where they are others than before"),
  reward_parts: z.looseObject({}).optional().describe("of an episode that is over"),
  error: z.string().optional().describe("the harness failed: leave the episode out"),
});

const State = z.looseObject({
  episode_id: z.string().nullable(),
  step_count: z.int().min(0),
  done: z.boolean(),
});

/** GET /schema; `reset` is what OpenEnv's has no place for. */
export const schemas = {
  action: z.toJSONSchema(AnyAction, { io: "input" }),
  observation: z.toJSONSchema(Observation),
  state: z.toJSONSchema(State),
  reset: z.toJSONSchema(CaseRequest, { io: "input" }),
};

/** The code that OpenEnv's clients know for an error of ours. */
export function wsCode({ code, details }: AppError): WsErrorCode {
  if (code === "too-many-requests") return "CAPACITY_REACHED";
  return Array.isArray(details["issues"]) ? "VALIDATION_ERROR" : "EXECUTION_ERROR";
}
