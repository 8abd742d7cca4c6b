import { messageOfSubject, subjects } from "@microremed/contracts";
import type { z } from "zod";

/** What a message for this subject must look like; `undefined` where anything goes (a request may be wrong, its answer says how). */
export function schemaOfSubject(subject: string): z.ZodType | undefined {
  return subject === subjects.submit ? undefined : messageOfSubject(subject)?.schema;
}
