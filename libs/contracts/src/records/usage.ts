import { z } from "zod";

/** Tokens as the model's provider reported them, to the token. */
export const Tokens = z.strictObject({
  promptTokens: z.int().min(0).describe("everything sent, cached tokens included"),
  completionTokens: z.int().min(0).describe("everything answered, reasoning tokens included"),
  cachedTokens: z
    .int()
    .min(0)
    .default(0)
    .describe("part of promptTokens that came from the provider's cache"),
  reasoningTokens: z.int().min(0).default(0).describe("part of completionTokens that was thinking"),
});
export type Tokens = z.infer<typeof Tokens>;

/** What model calls cost, summed over the calls of a turn or an episode. */
export const Usage = z.strictObject({
  calls: z.int().min(0),
  ...Tokens.shape,
  cost: z
    .number()
    .min(0)
    .nullable()
    .default(null)
    .describe("cost at the models file's prices, US dollars; null: a model has no prices"),
  modelSeconds: z
    .number()
    .min(0)
    .optional()
    .describe(
      "wall clock of the calls, from each request to its answer, without waits and failed tries; absent: not measured",
    ),
  estimatedTokens: z
    .int()
    .min(0)
    .describe(
      "characters of the stored conversation / 4: the published benchmark's estimate, to compare with its numbers",
    ),
});
export type Usage = z.infer<typeof Usage>;

/** Usage before the first call. Its cost is 0, not null: nothing was spent. */
export const noUsage: Usage = {
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  estimatedTokens: 0,
};

/** The sum of two usages. Its cost is null when one of them is unknown, and its time is absent. */
export function addUsage(a: Usage, b: Usage): Usage {
  const modelSeconds = addSeconds(a, b);
  return {
    calls: a.calls + b.calls,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
    ...(modelSeconds !== undefined && { modelSeconds }),
    estimatedTokens: a.estimatedTokens + b.estimatedTokens,
  };
}

/** Where one of them has calls whose time is not known, neither is the sum. */
function addSeconds(a: Usage, b: Usage): number | undefined {
  const known = [a, b].filter(({ calls, modelSeconds }) => calls > 0 || modelSeconds !== undefined);
  if (known.length === 0 || known.some(({ modelSeconds }) => modelSeconds === undefined)) return undefined;
  return known.reduce((sum, { modelSeconds = 0 }) => sum + modelSeconds, 0);
}
