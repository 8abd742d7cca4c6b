import { Concealment, Persistence } from "@microremed/contracts";
import { z } from "zod";
import { isPlaceholder, placeholderNames, placeholdersIn } from "./placeholders.ts";

const kebab = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'kebab-case like "scale-to-zero"');
const mostCharacters = 20_000;

/** A template: its placeholders must be known. */
const template = z
  .string()
  .min(1)
  .max(mostCharacters)
  .superRefine((text, context) => {
    const unknown = placeholdersIn(text).filter((name) => !isPlaceholder(name));
    if (unknown.length > 0)
      context.addIssue({
        code: "custom",
        message: `no such placeholder: ${unknown.map((name) => `@${name}@`).join(", ")}; known: ${placeholderNames.join(", ")}`,
      });
  });

/** Where a remedy can be done and its expectation holds; all of it must fit. A placeholder without a value never fits. */
const Applies = z.strictObject({
  faults: z.array(z.string()).min(1).optional().describe("names; absent: every fault but the controls"),
  environments: z.array(z.string()).min(1).optional().describe("names; absent: every environment"),
  kind: z.enum(["Deployment", "StatefulSet"]).optional().describe("of the target's workload; absent: both"),
  concealment: z.array(Concealment).min(1).optional().describe("absent: every one"),
  persistence: z.array(Persistence).min(1).optional().describe("absent: every one"),
  needs: z
    .array(z.string().refine(isPlaceholder, `the name of a placeholder: ${placeholderNames.join(", ")}`))
    .default([])
    .describe("placeholders that must have a value although the text does not use them"),
});

/** What the judge must say. */
const Expected = z
  .strictObject({
    recovered: z.boolean().describe("the strict verdict"),
    clean: z.boolean().describe("recovered, and nothing left worse than before"),
  })
  .refine(({ recovered, clean }) => recovered || !clean, {
    path: ["clean"],
    message: "false, because nothing is clean that has not recovered",
  });

/** The format of `<name>.yaml` in `repairs` or `non-repairs`. */
export const RemedyFile = z
  .strictObject({
    name: kebab.describe("the file's name without .yaml"),
    description: z.string().min(1).max(300).describe("one sentence: what it does"),
    class: kebab.describe("what it has in common with others; reports count by it"),
    expected: Expected,
    applies: Applies.prefault({}),
    playbookSeconds: z
      .int()
      .min(1)
      .max(3600)
      .optional()
      .describe("how long it may run, for one that waits; default: the request's"),
    script: template.optional().describe("lines of a shell script, the body of a playbook with one task"),
    playbook: template.optional().describe("a whole Ansible playbook"),
  })
  .refine(({ script, playbook }) => (script === undefined) !== (playbook === undefined), {
    path: ["script"],
    message: "exactly one of script and playbook",
  });
export type RemedyFile = z.output<typeof RemedyFile>;
