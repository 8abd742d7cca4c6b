import { messageOfSubject, subjects } from "@microremed/contracts";
import type { z } from "zod";

/** The schema of a message for this subject; `undefined` if there is none (a request may be wrong, its answer says how). */
export function schemaOfSubject(subject: string): z.ZodType | undefined {
  return subject === subjects.submit ? undefined : messageOfSubject(subject)?.schema;
}
