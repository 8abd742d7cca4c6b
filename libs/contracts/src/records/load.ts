import { z } from "zod";

const factor = z
  .number()
  .min(0.2)
  .max(5)
  .describe("times the environment's own rate, where the load is changed");
const periodSeconds = z.int().min(30).max(86_400).describe("cluster time from one round to the next");
const at = z
  .int()
  .min(-3600)
  .max(3600)
  .describe("cluster time from the first fault, seconds; before it: negative");

const load = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/)
  .optional()
  .describe("one of the environment's `loads`, which takes the place of its own; absent: its own");

/** How the load of a system goes, times the environment's own rate, on the cluster's clock. */
export const LoadPattern = z.discriminatedUnion("shape", [
  z.strictObject({ shape: z.literal("constant"), factor, load }),
  z.strictObject({
    shape: z.literal("bursts"),
    ...{ factor, load },
    periodSeconds,
    share: z.number().min(0.05).max(0.8).default(0.2).describe("of each round that its burst takes"),
  }),
  z.strictObject({
    shape: z.literal("ramp"),
    ...{ factor, load },
    at: at.default(-120),
    seconds: z.int().min(10).max(7200).default(240).describe("cluster time until the factor is reached"),
  }),
  z.strictObject({ shape: z.literal("step"), factor, load, at: at.default(-60) }),
  z.strictObject({ shape: z.literal("diurnal"), factor, load, periodSeconds }),
  z.strictObject({
    shape: z.literal("replay"),
    factors: z
      .array(z.number().min(0).max(5))
      .min(1)
      .max(1000)
      .describe(
        "a recorded course: times the environment's own rate, each held for `secondsEach`; it begins again at its end",
      ),
    secondsEach: z.int().min(1).max(3600),
    load,
  }),
]);
export type LoadPattern = z.infer<typeof LoadPattern>;

/** The load of an arena as its generators follow it. */
export const LoadOrder = z.strictObject({
  pattern: LoadPattern,
  seed: z.string().describe("of what is drawn: when bursts begin, and where a day begins"),
  origin: z.number().describe("cluster time, ms, from which `at` counts"),
  until: z.number().optional().describe("cluster time, ms, of its end; absent: none"),
});
export type LoadOrder = z.infer<typeof LoadOrder>;
