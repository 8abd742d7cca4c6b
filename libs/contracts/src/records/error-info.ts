import { z } from "zod";

/** An error as it crosses the bus: `code` is from errorCodes. */
export const ErrorInfo = z.strictObject({
  code: z.string(),
  message: z.string().max(8192),
  details: z.record(z.string(), z.unknown()).default({}),
});
export type ErrorInfo = z.infer<typeof ErrorInfo>;
