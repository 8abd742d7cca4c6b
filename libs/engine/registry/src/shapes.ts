import { z } from "zod";
import type { LoadedKind } from "./kinds.ts";
import { aFunction, entry, names, text } from "./shape-parts.ts";
import { agentShape, taskShape, toolShape } from "./solving-shapes.ts";

const anObjectSchema = z.custom(
  (value) => value instanceof Object && "safeParse" in value && "shape" in value,
  {
    error: "a z.object({ ... }) of zod",
  },
);

const remedy = z.looseObject({
  name: text,
  doc: text,
  applies: aFunction.optional(),
  commands: aFunction,
  playbook: aFunction.optional(),
});

const fault = z.looseObject({
  ...entry("fault"),
  title: text,
  description: text,
  parameters: anObjectSchema,
  strengths: z
    .array(z.looseObject({ name: text, parameters: z.looseObject({}), applies: aFunction.optional() }))
    .optional(),
  drawn: z.record(z.string(), aFunction).optional(),
  symptom: text,
  recovery: names.min(1),
  rightActions: z.array(
    z.looseObject({ name: text, doc: text, isWithinReach: aFunction, isTaken: aFunction }),
  ),
  repairs: z.array(remedy),
  shortcuts: z.array(remedy),
  notShortcuts: names.optional(),
  targets: aFunction,
  ineligible: aFunction.optional(),
  truth: aFunction,
  inject: aFunction,
  status: aFunction,
  remove: aFunction,
  runbook: z.looseObject({ observe: aFunction, act: aFunction }).optional(),
  published: z
    .looseObject({ check: text, timeoutSeconds: z.number().positive(), readyFirst: z.boolean() })
    .optional(),
});

const noise = z.looseObject({
  ...entry("noise"),
  title: text,
  description: text,
  parameters: anObjectSchema,
  drawn: z.record(z.string(), aFunction).optional(),
  seenIn: z.literal("requests").optional(),
  targets: aFunction.optional(),
  decoys: aFunction,
  place: aFunction,
  isSettled: aFunction,
  remove: aFunction.optional(),
});

const oracle = z.looseObject({
  ...entry("oracle"),
  description: text,
  cost: z.number().min(0),
  measure: aFunction,
  baseline: aFunction.optional(),
  symptom: aFunction.optional(),
});

const suite = z.looseObject({
  ...entry("suite"),
  description: text,
  cases: names,
  draw: names,
  problems: z.array(z.unknown()),
  rules: z.array(z.unknown()),
  pools: z.array(z.unknown()),
  defaults: z.looseObject({}),
  values: z.enum(["drawn", "own"]),
  elsewhere: z.boolean(),
});

/** What an entry of each kind must have before anything works with it. */
export const shapes: Readonly<Record<LoadedKind, z.ZodType>> = {
  faults: fault,
  noises: noise,
  oracles: oracle,
  tools: toolShape,
  tasks: taskShape,
  agents: agentShape,
  suites: suite,
};
