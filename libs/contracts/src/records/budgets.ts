import { z } from "zod";

/**
 * What a method may use up in one episode, all attempts together. Looked at before each model call and tool call, so
 * that the last model call may go beyond what is left. Running out ends the episode as not remediated, with the reason.
 */
export const Budgets = z.strictObject({
  probeRounds: z
    .int()
    .min(0)
    .max(1000)
    .default(40)
    .describe("model answers that call a tool to observe the system"),
  toolCalls: z.int().min(0).max(10_000).default(120).describe("calls of tools, the failed ones included"),
  tokens: z.int().min(1).max(100_000_000).default(1_000_000).describe("prompt and completion tokens"),
  seconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(3600)
    .describe("wall clock of model calls and tools; waits for a provider's rate limit do not count"),
  cost: z
    .number()
    .min(0)
    .nullable()
    .default(null)
    .describe(
      "US dollars at the models file's prices; null: no bound. A model without prices is refused under a bound",
    ),
});
export type Budgets = z.infer<typeof Budgets>;

export const BudgetName = z
  .enum(["probeRounds", "toolCalls", "tokens", "seconds", "cost", "context"])
  .describe("context: of the model, not of the request");
export type BudgetName = z.infer<typeof BudgetName>;
