import { wrongValues } from "@microremed/contracts";
import type { z } from "zod";

/** What of an environment has not its format's shape, a line each. `whole`: the word for all of it. */
export const shapeProblems = (error: z.core.$ZodError, whole: string): string[] =>
  wrongValues(error).map(({ field, expected }) => `${field || whole}: expected ${expected}`);
