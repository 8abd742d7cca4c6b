import {
  type FaultContext,
  objectName,
  type TruthContext,
  type WithParameters,
  z,
} from "@microremed/catalogue";

export const parameters = z.object({
  consumer: objectName
    .default("orders-validator")
    .describe("the program that reads the queue, and its consumer group"),
  topic: objectName.default("orders-fulfillment").describe("the queue"),
  message: z
    .string()
    .regex(/^[^\n'\\]{1,200}$/)
    .regex(/^(?!order=)/)
    .default('{"order": 7')
    .describe("the message that the consumer cannot read"),
});

/** Where the fault is or would be. */
export type Where = TruthContext & WithParameters<z.output<typeof parameters>>;
export type Context = FaultContext & Where;
