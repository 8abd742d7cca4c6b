import type { Rng } from "@microremed/core";
import { z } from "zod";

/** The part of a JSON schema by which an answer is made. */
export interface JsonSchema {
  readonly type?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly items?: JsonSchema | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

export const JsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    anyOf: z.array(JsonSchema).optional(),
    items: JsonSchema.optional(),
    properties: z.record(z.string(), JsonSchema).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
);

type Answer = Readonly<Record<string, unknown>>;

/** Chooses a value for one place of an answer. */
type Choose = (schema: JsonSchema, fill: (schema: JsonSchema) => unknown) => unknown;

const mostDepth = 8;

/** Nothing is wrong: no, none, the first of a list of words. */
export const calmAnswer = (schema: JsonSchema): Answer =>
  answerBy(schema, ({ type, anyOf = [] }, fill) => {
    const none = anyOf.find((one) => one.type === "null");
    if (none) return null;
    if (type === "boolean") return false;
    if (type === "array") return [];
    return anyOf[0] ? fill(anyOf[0]) : undefined;
  });

/** Something is wrong, with what the report names, if it names something. */
export const alarmedAnswer = (schema: JsonSchema, place: string | undefined): Answer =>
  answerBy(schema, ({ type, items, enum: words, anyOf = [] }, fill) => {
    const some = anyOf.find((one) => one.type !== "null");
    if (some) return fill(some);
    if (type === "boolean") return true;
    if (type === "string" && !words) return place ?? "";
    if (type === "array") return items && place !== undefined ? [fill(items)] : [];
    return undefined;
  });

/** One of the answers that fit, drawn. */
export const drawnAnswer = (schema: JsonSchema, rng: Rng): Answer =>
  answerBy(schema, ({ type, enum: words, anyOf, items, minimum = 0, maximum = 100 }, fill) => {
    if (anyOf && anyOf.length > 0) return fill(rng.pick(anyOf));
    if (words && words.length > 0) return rng.pick(words);
    if (type === "boolean") return rng.int(2) === 1;
    if (type === "array") return items && rng.int(2) === 1 ? [fill(items)] : [];
    if (type === "integer" || type === "number") return minimum + rng.int(maximum - minimum + 1);
    return undefined;
  });

function answerBy(schema: JsonSchema, choose: Choose): Answer {
  const fill = (one: JsonSchema, depth: number): unknown => {
    if (depth > mostDepth) return null;
    const chosen = choose(one, (inner) => fill(inner, depth + 1));
    return chosen === undefined ? plainValue(one, (inner) => fill(inner, depth + 1)) : chosen;
  };
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, fill(property, 1)]),
  );
}

/** The least that fits. */
function plainValue(
  { type, enum: words, const: only, properties, minimum }: JsonSchema,
  fill: (schema: JsonSchema) => unknown,
): unknown {
  if (only !== undefined) return only;
  if (words && words.length > 0) return words[0];
  switch (type) {
    case "object":
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, fill(one)]));
    case "array":
      return [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return minimum ?? 0;
    case "null":
      return null;
    default:
      return "";
  }
}
