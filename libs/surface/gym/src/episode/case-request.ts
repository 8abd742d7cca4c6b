import { Concealment, Feedback, Persistence, ReportKind, usualProbes } from "@microremed/contracts";
import { z } from "zod";

const name = z.string().min(1).max(253);

/** What `reset` is asked for: which case, and how it is given. Exactly one of suite, problem and fault, or none: the server's own suite. */
export const CaseRequest = z
  .strictObject({
    seed: z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .nullish()
      .transform((seed) => seed ?? 0)
      .describe(
        "draws the case of a suite, the target, and what is random in the case; the same seed gives the same bytes",
      ),
    suite: name
      .optional()
      .describe("a case of this suite, e.g. easy@1, range@1; `case` says which, or the seed draws one"),
    case: z.int().min(0).optional().describe("number of the suite's case, from 0; absent: drawn"),
    problem: name.optional().describe("a problem by its full name, e.g. range@1/..."),
    fault: name.optional().describe("a fault of the catalogue, e.g. pod-fail; none: nothing is wrong"),
    target: name.optional().describe("where the fault is injected; absent: drawn"),
    strength: name.optional().describe("name of one of the fault's strengths; absent: its own values"),
    parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("the fault's own parameters, in the place of a strength"),
    environment: name.optional().describe("the system, unless the problem says it; default: the server's"),
    task: name.optional().describe("default: mitigation, of a problem its first task"),
    concealment: Concealment.optional().describe("default: none"),
    persistence: Persistence.optional().describe(
      "default: once; rearm: a new pod is not a repair if the fault defines a right action",
    ),
    report: ReportKind.optional().describe("what is said of the incident; default: oracle"),
    feedback: Feedback.optional().describe("what is said after an attempt; default: oracle"),
    acting: z
      .enum(["commands", "playbook"])
      .default("commands")
      .describe(
        "how the system is changed: by commands, as many as there are steps, or by one playbook for each attempt",
      ),
    max_attempts: z.int().min(1).max(20).default(1),
    max_probes: z.int().min(0).max(100).default(usualProbes),
  })
  .check((context) => {
    const { suite, problem, fault, target, strength, case: number } = context.value;
    const wrong = (path: string, message: string): void => {
      context.issues.push({ code: "custom", path: [path], message, input: context.value });
    };
    if ([suite, problem, fault].filter((one) => one !== undefined).length > 1)
      wrong("suite", "at most one of suite, problem and fault");
    if (fault === undefined && target !== undefined)
      wrong("target", "belongs to a fault: name the fault, too");
    if (fault === undefined && strength !== undefined)
      wrong("strength", "belongs to a fault: name the fault, too");
    if (fault === undefined && context.value.parameters !== undefined)
      wrong("parameters", "belong to a fault: name the fault, too");
    if (strength !== undefined && context.value.parameters !== undefined)
      wrong("parameters", "in the place of a strength: leave one of them out");
    if (suite === undefined && number !== undefined) wrong("case", "belongs to a suite: name the suite, too");
  });
export type CaseRequest = z.output<typeof CaseRequest>;
