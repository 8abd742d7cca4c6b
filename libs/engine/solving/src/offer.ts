import type { ActTool, ObserveTool, SubmitTool, Tool } from "@microremed/catalogue";
import { answerBounds, handedInBounds, type ToolCall } from "@microremed/contracts";
import { beyondBounds } from "@microremed/core";
import type { ToolSpec } from "@microremed/llm";
import type { Entries } from "@microremed/registry";
import { z } from "zod";
import { type Argument, readArguments } from "./read-arguments.ts";

type Values = Readonly<Record<string, unknown>>;
const Values = z.record(z.string(), z.unknown());

/** A tool as a model is offered it. */
interface Offered<T> {
  readonly spec: ToolSpec;
  /** A call's arguments, or why they are none. */
  readonly read: (call: ToolCall) => Argument<T>;
}

/** A tool whose answer goes back to the model. */
export interface OfferedObserver extends Offered<unknown> {
  readonly tool: ObserveTool;
}

/** A tool whose valid call ends the turn. */
export interface OfferedEnd extends Offered<Values> {
  readonly tool: ActTool | SubmitTool;
  /** The same for arguments that were found in a text; undefined: they are none. */
  readonly accept: (given: unknown) => Values | undefined;
}

/** Everything that a model may call in a turn. */
export interface Offer {
  readonly observers: readonly OfferedObserver[];
  /** At least one. */
  readonly ends: readonly OfferedEnd[];
}

/** The offer of these tools; `answer` is the task's schema, which a tool that submits takes. */
export function offerOf(tools: readonly Tool[], answer: z.ZodType | null): Offer {
  return {
    observers: tools.flatMap((tool) => (tool.kind === "observe" ? [observer(tool)] : [])),
    ends: tools.flatMap((tool) => {
      if (tool.kind === "act") return [end(tool, tool.arguments, tool.example)];
      return tool.kind === "submit" ? [answer === null ? saysDone(tool) : end(tool, answer)] : [];
    }),
  };
}

/** Without an answer to hand in, `submit` says that everything is done. */
function saysDone(tool: SubmitTool): OfferedEnd {
  const description =
    "Say that you have done all that you will do. It ends the task, and the system is measured.";
  const handsIn = {
    noun: "word that it is done",
    usage: "submit without arguments, when you have done all that you will do",
    inText: { form: "the word that it is done", read: () => undefined },
  };
  return end({ ...tool, description, handsIn }, z.strictObject({}), {});
}

const publishedName = ({ publishedAs, name }: Pick<Tool, "publishedAs" | "name">): string =>
  publishedAs ?? name;

/** What models are shown of a tool. Without `schema`, a tool that submits takes any object. */
export function toolSpec(tool: Tool, schema?: z.ZodType): ToolSpec {
  const shown = schema ?? (tool.kind === "submit" ? z.looseObject({}) : tool.arguments);
  return { name: publishedName(tool), description: tool.description, parameters: jsonSchemaOf(shown) };
}

/** The tools of a catalogue as models are shown them, by the names that models know them by. */
export function toolSpecs(tools: Pick<Entries<Tool>, "all">): ReadonlyMap<string, ToolSpec> {
  return new Map(tools.all().map((tool) => [publishedName(tool), toolSpec(tool)]));
}

/** Schemas that were written: a tool is offered in every turn, with the same one. */
const written = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/** JSON schema of what a schema takes in. The same schema, the same object: it is not to be changed. */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const known = written.get(schema);
  if (known) return known;
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { io: "input" });
  written.set(schema, rest);
  return rest;
}

/** All tools of an offer as models are shown them; `observing: false` leaves out those that observe. */
export function specsOf({ observers, ends }: Offer, { observing = true } = {}): ToolSpec[] {
  return [...(observing ? observers : []), ...ends].map(({ spec }) => spec);
}

/** The offered tool that a call names, if it is one that ends the turn. */
export const endNamed = ({ ends }: Offer, name: string): OfferedEnd | undefined =>
  ends.find(({ spec }) => spec.name === name);

function observer(tool: ObserveTool): OfferedObserver {
  const reading = { schema: tool.arguments, expected: `like ${exampleText(tool.example)}`, mayBeEmpty: true };
  return { tool, spec: toolSpec(tool), read: (call) => readArguments(call, reading) };
}

function end(tool: ActTool | SubmitTool, taken: z.ZodType, example?: unknown): OfferedEnd {
  const spec = toolSpec(tool, taken);
  const schema = taken.pipe(Values);
  const expected =
    example === undefined
      ? `by the schema ${JSON.stringify(spec.parameters)}`
      : `like ${exampleText(example)}`;
  const bounds = tool.kind === "submit" ? answerBounds : handedInBounds;
  return {
    tool,
    spec,
    read: (call) => readArguments(call, { schema, expected, bounds }),
    accept: (given) => (beyondBounds(given, bounds) === undefined ? schema.safeParse(given).data : undefined),
  };
}

const exampleText = (example: unknown): string =>
  typeof example === "string" ? example : JSON.stringify(example);
