import { type FaultContext, type TruthContext, type WithParameters, z } from "@microremed/catalogue";

export const parameters = z.object({
  size: z
    .string()
    .regex(/^[1-9]\d{0,3}Mi$/)
    .default("256Mi")
    .describe("of the claim with the cache's data"),
  file: z
    .string()
    .regex(/^(?!dump\.rdb$)[a-z0-9][a-z0-9_.-]{2,60}$/)
    .default("core.1")
    .describe("name of the file that fills it"),
});

/** Where the fault is or would be. */
export type Where = TruthContext & WithParameters<z.output<typeof parameters>>;
export type Context = FaultContext & Where;
