import {
  type FaultContext,
  objectName,
  type TruthContext,
  type WithParameters,
  z,
} from "@microremed/catalogue";

export const parameters = z.object({
  memory: z
    .string()
    .regex(/^\d+(Ki|Mi)$/)
    .default("16Mi")
    .describe(
      "limit of containers that have none, by the policy that is asked; less than the target's program needs",
    ),
  server: objectName.default("policy-server").describe("the program that answers webhooks, and its Service"),
  policy: objectName.default("batch-limits").describe("the policy, and the first part of the webhook's name"),
});

/** Where the fault is or would be. */
export type Where = TruthContext & WithParameters<z.output<typeof parameters>>;
export type Context = FaultContext & Where;
