import { z } from "zod";
import { aFunction, entry, names, text } from "./shape-parts.ts";

/** What model providers take as the name of a tool. */
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "letters, digits, _ and -, at most 64");

/** A schema whose JSON schema models can be shown. */
const shownSchema = z.custom(
  (value) => {
    if (!(value instanceof z.ZodType)) return false;
    try {
      return z.toJSONSchema(value, { io: "input" }).type === "object";
    } catch {
      return false;
    }
  },
  { error: "a z.object({ ... }) of zod that can be written as JSON schema" },
);

const tool = { ...entry("tool"), name: toolName, publishedAs: toolName.optional(), description: text };
const handsIn = z.looseObject({
  noun: text,
  usage: text,
  inText: z.looseObject({ form: text, read: aFunction }),
});

export const toolShape = z.discriminatedUnion(
  "kind",
  [
    z.looseObject({
      ...tool,
      kind: z.literal("observe"),
      rights: z.enum(["read", "none"]),
      arguments: shownSchema,
      offeredTo: z.literal("all").optional(),
      maxResult: z.int().min(100).max(100_000).optional(),
      run: aFunction,
    }),
    z.looseObject({
      ...tool,
      kind: z.literal("act"),
      rights: z.literal("write"),
      arguments: shownSchema,
      handsIn,
    }),
    z.looseObject({ ...tool, kind: z.literal("submit"), rights: z.literal("none"), handsIn }),
  ],
  { error: '"observe", "act" or "submit"' },
);

export const taskShape = z.looseObject({
  ...entry("task"),
  title: text,
  mayAct: z.boolean(),
  answer: shownSchema.nullable(),
  question: aFunction,
  grade: aFunction,
});

export const agentShape = z.looseObject({
  ...entry("agent"),
  description: text,
  tasks: z.union([z.literal("all"), names.min(1)], { error: '"all" or names of tasks' }),
  tools: names,
  byHand: z.boolean().optional(),
  maxAttempts: aFunction,
  solve: aFunction,
});
