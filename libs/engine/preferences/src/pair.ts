import { Change } from "@microremed/contracts";
import { z } from "zod";

/** A message of the chat completions API: `role`, `content`, and calls where there are any. */
const Message = z.looseObject({ role: z.string(), content: z.unknown().optional() });

/** What a playbook did to the system, as it was measured. */
export const Effect = z.strictObject({
  recovered: z.boolean().describe("the strict verdict"),
  clean: z.boolean().nullable().describe("recovered, and nothing is left worse; null: not asked"),
  reason: z.string().describe("the verdict in words"),
  changes: z.array(Change).describe("what was left changed"),
  execution: z.string().describe("Ansible's status: ok, failed, ..."),
  requests: z.number().nullable().describe("of users, from the first action to the verdict; null: none seen"),
  hurt: z.number().nullable().describe("of them those that failed or were slow"),
  podsRestarted: z.number().nullable(),
  recoveredSeconds: z.number().nullable().describe("cluster time until all was in order; null: never"),
});
export type Effect = z.infer<typeof Effect>;

/** One playbook, who wrote it, and what it did. */
export const Candidate = z.strictObject({
  episode: z.string(),
  model: z.string(),
  method: z.string(),
  playbook: z.string(),
  completion: z.array(Message).describe("what the model said after the prompt, up to the playbook"),
  effect: Effect,
});
export type Candidate = z.infer<typeof Candidate>;

/** Two playbooks for the same case. A draw decides which one is the left one, so that no side is the better one. */
export const Pair = z.strictObject({
  id: z.string(),
  case: z.strictObject({
    id: z.string(),
    environment: z.string(),
    failure: z.string(),
    target: z.string(),
  }),
  prompt: z.array(Message).describe("what both models were given first"),
  tools: z.array(z.looseObject({})).describe("what both were offered"),
  left: Candidate,
  right: Candidate,
});
export type Pair = z.infer<typeof Pair>;

/** A side of a pair, or neither. */
export const choices = ["left", "right", "tie"] as const;
/** One of `choices`: the better side, or that neither is. */
export type Choice = (typeof choices)[number];

/** Longest reason that is kept, characters. */
export const longestReason = 2_000;

/** What one person said of a pair, and when. A later rating of the same person replaces an earlier one. */
export const Rating = z.strictObject({
  pair: z.string(),
  rater: z.string().regex(/^[\w.@-]{1,64}$/, "expected 1 to 64 letters, digits, or . _ @ -"),
  choice: z.enum(choices),
  reason: z.string().max(longestReason).nullable(),
  at: z.iso.datetime(),
});
export type Rating = z.infer<typeof Rating>;
