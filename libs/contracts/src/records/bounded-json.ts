import { beyondBounds, type JsonBounds } from "@microremed/core";
import { z } from "zod";
import { maxPlaybookLength } from "../limits.ts";

/**
 * What an agent hands in, whatever its task's or tool's schema allows: a playbook is the longest of it. It travels in one
 * message together with what its turn has seen, and a message has 1 MiB at most.
 */
export const handedInBounds: JsonBounds = {
  depth: 32,
  values: 10_000,
  characters: 2 * maxPlaybookLength,
  bytes: 2 * maxPlaybookLength,
};

/** An answer to a task: a record may have one for each of many windows. */
export const answerBounds: JsonBounds = {
  depth: 32,
  values: 10_000,
  characters: 65_536,
  bytes: 65_536,
};

/** What an incident may set of one fault. */
const parameterBounds: JsonBounds = { depth: 8, values: 1000, characters: 10_000 };

function within<S extends z.ZodType>(schema: S, bounds: JsonBounds): S {
  return schema.superRefine((value, context) => {
    const problem = beyondBounds(value, bounds);
    if (problem !== undefined) context.addIssue({ code: "custom", message: `it ${problem}` });
  });
}

/** Arguments of a tool, by name, as an agent may write them: its own schema reads them later. */
export const BoundedArguments = within(z.record(z.string(), z.unknown()), handedInBounds);

/** An answer to a task. */
export const BoundedAnswer = within(z.unknown(), answerBounds);

/** A fault's parameters by name, for its own schema to read. */
export const FaultParameters = within(z.record(z.string().min(1).max(100), z.unknown()), parameterBounds);
export type FaultParameters = z.infer<typeof FaultParameters>;
