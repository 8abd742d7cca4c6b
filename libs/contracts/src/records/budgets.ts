import { z } from "zod";

/** The most answers that call tools which a budget may allow. */
export const mostProbeRounds = 10_000;
/** The most tool calls which a budget may allow. */
export const mostToolCalls = 10_000;
/** The most wall clock which a budget may allow, s. */
export const mostSeconds = 86_400;

const limits = {
  probeRounds: z
    .int()
    .min(0)
    .max(mostProbeRounds)
    .describe("model answers that call a tool to observe the system"),
  toolCalls: z.int().min(0).max(mostToolCalls).describe("tool calls, including failed ones"),
  tokens: z.int().min(1).max(100_000_000).describe("prompt and completion tokens"),
  seconds: z
    .int()
    .min(1)
    .max(mostSeconds)
    .describe("wall clock of model calls and tools, without waits for a provider's rate limit"),
  cost: z
    .number()
    .min(0)
    .nullable()
    .describe(
      "US dollars at the models file's prices; null: no limit. With a limit, a model without prices is refused",
    ),
};

/**
 * What a method may use up in one episode, all attempts together. Checked before each model call and tool call, so
 * that the last model call may go beyond what is left; a command that changes something ends with the seconds. Running out ends the episode as not remediated, with the reason.
 */
export const Budgets = z.strictObject({
  probeRounds: limits.probeRounds.default(40),
  toolCalls: limits.toolCalls.default(120),
  tokens: limits.tokens.default(1_000_000),
  seconds: limits.seconds.default(3600),
  cost: limits.cost.default(null),
});
export type Budgets = z.infer<typeof Budgets>;

/** What a request says of them; what it leaves out follows from the model. */
export const RequestedBudgets = z.strictObject(limits).partial();

/** The budget that ended an episode: a field of `Budgets`, `context`, or `agent`. */
export const BudgetName = z
  .enum(["probeRounds", "toolCalls", "tokens", "seconds", "cost", "context", "agent"])
  .describe(
    "context: the model's limit, or that of what is stored of a conversation; agent: an outside agent left, or was silent for too long",
  );
export type BudgetName = z.infer<typeof BudgetName>;
