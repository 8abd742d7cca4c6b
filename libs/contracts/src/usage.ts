import { z } from "zod";

/** What the model's provider reported, summed over the calls of a turn or an episode. */
export const Usage = z.strictObject({
  calls: z.int().min(0),
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
  /** Characters of the stored conversation / 4: MicroRemed's own estimate, for comparison with its numbers. */
  estimatedTokens: z.int().min(0),
});
export type Usage = z.infer<typeof Usage>;

export const noUsage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, estimatedTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    estimatedTokens: a.estimatedTokens + b.estimatedTokens,
  };
}
