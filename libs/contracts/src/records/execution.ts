import { z } from "zod";

/** How one playbook run ended. */
export const Execution = z.strictObject({
  status: z
    .enum(["ok", "failed", "timed-out", "rejected"])
    .describe("rejected: no playbook, or one that its policy does not allow; never run"),
  exitCode: z.int().nullable(),
  output: z.string().describe("stdout and stderr of ansible-playbook, clipped in the middle"),
  wallSeconds: z.number(),
  startedAt: z.number().optional().describe("cluster time, ms; absent: it was never run"),
  clusterSeconds: z
    .number()
    .min(0)
    .optional()
    .describe("how long it took on the cluster's clock; absent: not known"),
  rule: z
    .string()
    .optional()
    .describe("of a rejected one: the first rule that it breaks; `playbook`: it is not one"),
});
export type Execution = z.infer<typeof Execution>;
