import { z } from "zod";
import { EpisodeId, TaskName } from "../ids.ts";
import { maxPlaybookLength } from "../limits.ts";
import { Budgets } from "../records/budgets.ts";
import { TurnKey } from "../records/session.ts";
import { Tokens } from "../records/usage.ts";
import { defineMessage } from "./define-message.ts";

/** What the agent says of its thinking since the last answer. Nothing of it is checked; it is stored as the agent's word. */
export const Spent = z.strictObject({
  promptTokens: Tokens.shape.promptTokens.max(100_000_000).default(0),
  completionTokens: Tokens.shape.completionTokens.max(100_000_000).default(0),
  cost: z.number().min(0).max(1_000_000).nullable().default(null).describe("US dollars; null: not known"),
  seconds: z.number().min(0).max(86_400).optional().describe("that it thought; absent: not said"),
});
export type Spent = z.infer<typeof Spent>;

/** By what a call is known: the same call twice, with the same id, is made once. */
export const CallId = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,64}$/, "letters, digits, dots, colons, dashes and underscores, at most 64");

/** A tool call of an outside agent. */
export const SessionCall = z.strictObject({
  id: CallId,
  tool: z.string().min(1).max(100),
  arguments: z
    .string()
    .max(2 * maxPlaybookLength)
    .describe("JSON text"),
});
export type SessionCall = z.infer<typeof SessionCall>;

const turn = {
  episodeId: EpisodeId,
  turn: TurnKey.optional().describe("the only one that is meant; absent: any"),
};
const waitMs = z.int().min(0).max(600_000).describe("how long the answer may take");

/** Gateway to remediator: what an outside agent does in its turn. */
export const TurnMove = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("read"), ...turn, waitMs }),
  z.strictObject({ kind: z.literal("call"), ...turn, waitMs, call: SessionCall, spent: Spent.optional() }),
  z.strictObject({ kind: z.literal("alive"), ...turn }),
  z.strictObject({
    kind: z.literal("leave"),
    ...turn,
    reason: z.string().max(500),
    spent: Spent.optional().describe("what no call has said yet"),
    waitMs: waitMs.optional(),
  }),
]);
export type TurnMove = z.infer<typeof TurnMove>;

/** A tool as the agent is offered it. */
export const OfferedTool = z.strictObject({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).describe("JSON schema of the arguments"),
});
export type OfferedTool = z.infer<typeof OfferedTool>;

/** What an agent is given in a turn. */
export const TurnView = z.strictObject({
  turn: TurnKey,
  task: TaskName,
  mayAct: z.boolean().describe("something may be changed"),
  words: z.string().describe("the report and the question, or what came of the attempt before"),
  tools: z.array(OfferedTool).max(100),
  maxAttempts: z.int().min(1).describe("number of the last attempt that this task may have"),
  submitIsFinal: z
    .literal(true)
    .optional()
    .describe(
      "no attempt at the task follows a submit, only one that ended without it; absent: what a submit leaves unrepaired may have another",
    ),
  maxProbes: z.int().min(0).describe("calls of observing tools in this attempt"),
  silenceSeconds: z
    .int()
    .min(1)
    .describe("without a call or a sign of life for so long, the agent counts as lost"),
  budgets: Budgets.describe("of the episode"),
  calls: z.int().min(0).describe("calls that were made in this turn"),
});
export type TurnView = z.infer<typeof TurnView>;

/** How a turn ended. */
export const TurnEnd = z.strictObject({
  how: z.enum(["submitted", "acted", "over"]).describe("over: it ended without an answer or an action"),
  reason: z.string().describe("in words that the agent may read"),
});
export type TurnEnd = z.infer<typeof TurnEnd>;

/** What came of a move. */
export const TurnReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("reading"), view: TurnView }),
  z.strictObject({
    status: z.literal("answered"),
    text: z.string(),
    ran: z.boolean().describe("false: it was not run, and the text says why"),
    milliseconds: z.number().min(0).nullable().describe("that the tool took; null: it was not run"),
  }),
  z.strictObject({ status: z.literal("alive") }),
  z.strictObject({ status: z.literal("pending") }).describe("it is under way; ask again with the same id"),
  z
    .strictObject({ status: z.literal("acting") })
    .describe("the executor does it, and the turn goes on after it; ask again with the same id"),
  z.strictObject({ status: z.literal("ended"), ...TurnEnd.shape }),
  z
    .strictObject({ status: z.literal("other-turn"), turn: TurnKey })
    .describe("it is the turn of another attempt"),
  z.strictObject({ status: z.literal("busy") }).describe("too many calls wait already"),
  z
    .strictObject({ status: z.literal("conflict") })
    .describe("the id is that of another call, or of one of an earlier attempt"),
]);
export type TurnReply = z.infer<typeof TurnReply>;

/** The request of `TurnMove`, on a subject of the episode's own: the replica that has its turn answers. */
export const turnMove = defineMessage({
  name: "TurnMove",
  version: 1,
  subject: "microremed.rpc.turn.<episode>",
  from: ["gateway"],
  to: ["remediator"],
  schema: TurnMove,
  reply: TurnReply,
  doc: "What an outside agent does in its turn (request and reply; no responder while no turn of the episode is under way).",
});
