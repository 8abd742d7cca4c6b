import { z } from "zod";
import { inWords } from "./in-words.ts";
import { aFunction, entry, names, text } from "./shape-parts.ts";

/** What model providers take as the name of a tool; ours are stricter, published ones are what they were. */
const publishedName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "letters, digits, _ and -, at most 64");

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

/** Whether a tool's example is there and its arguments take it, the question to the arena that is made of it included. */
function checkExample(
  tool: { readonly arguments: unknown; readonly example?: unknown },
  { addIssue }: z.core.$RefinementCtx,
): void {
  const problem = (message: string): void => addIssue({ code: "custom", path: ["example"], message });
  if (tool.example === undefined) problem("arguments as they should be; it is missing");
  if (tool.example === undefined || !(tool.arguments instanceof z.ZodType)) return;
  try {
    const given: unknown = typeof tool.example === "string" ? JSON.parse(tool.example) : tool.example;
    const { error } = tool.arguments.safeParse(given);
    for (const { path, message } of error?.issues ?? [])
      problem(`arguments that the tool takes, with which ${path.join(".") || "all"} is wrong: ${message}`);
  } catch (thrown) {
    problem(`arguments that the tool takes, not ${inWords(thrown)}`);
  }
}

/** Only a tool that acts needs more than to read. */
function checkRights(
  { rights, acts }: { readonly rights: string; readonly acts?: true | undefined },
  { addIssue }: z.core.$RefinementCtx,
): void {
  if (rights === "write" && acts === undefined)
    addIssue({ code: "custom", path: ["rights"], message: '"read" or "none"' });
}

const tool = { ...entry("tool"), publishedAs: publishedName.optional(), description: text };
const handsIn = z.looseObject({
  noun: text,
  usage: text,
  inText: z.looseObject({ form: text, read: aFunction }),
});

export const toolShape = z.discriminatedUnion(
  "kind",
  [
    z
      .looseObject({
        ...tool,
        kind: z.literal("observe"),
        rights: z.enum(["read", "none", "write"]),
        acts: z.literal(true).optional(),
        arguments: shownSchema,
        offeredTo: z.literal("all").optional(),
        maxResult: z.int().min(100).max(100_000).optional(),
        run: aFunction,
        example: z.unknown().optional(),
      })
      .superRefine(checkRights)
      .superRefine(checkExample),
    z
      .looseObject({
        ...tool,
        kind: z.literal("act"),
        rights: z.literal("write"),
        arguments: shownSchema,
        handsIn,
        example: z.unknown().optional(),
      })
      .superRefine(checkExample),
    z.looseObject({ ...tool, kind: z.literal("submit"), rights: z.literal("none"), handsIn }),
  ],
  { error: '"observe", "act" or "submit"' },
);

export const taskShape = z.looseObject({
  ...entry("task"),
  title: text,
  mayAct: z.boolean(),
  answer: shownSchema.nullable(),
  parts: names.min(1).optional(),
  watch: z.literal(true).optional(),
  known: z.array(z.looseObject({ name: text, answer: aFunction, chance: aFunction })).optional(),
  question: aFunction,
  grade: aFunction,
});

export const agentShape = z.looseObject({
  ...entry("agent"),
  description: text,
  tasks: z.union([z.literal("all"), names.min(1)], { error: '"all" or names of tasks' }),
  tools: names,
  settings: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      topP: z.number().gt(0).max(1).optional(),
      maxTokens: z.int().min(1).max(1_000_000).optional(),
      historyTokens: z.int().min(1_000).optional(),
      steps: z.int().min(1).max(1_000).optional(),
    })
    .optional(),
  byHand: z.boolean().optional(),
  code: z.boolean().optional(),
  outside: z.boolean().optional(),
  maxAttempts: aFunction,
  solve: aFunction,
});
