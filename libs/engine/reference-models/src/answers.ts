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
  /** Properties that an answer must have; absent: it gets all of them. */
  readonly required?: readonly string[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Reads a JSON schema as providers send it; one that cannot be read says where. */
export const JsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z
    .object({
      type: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      enum: z.array(z.unknown()).optional(),
      const: z.unknown().optional(),
      anyOf: z.array(JsonSchema).optional(),
      items: JsonSchema.optional(),
      properties: z.record(z.string(), JsonSchema).optional(),
      required: z.array(z.string()).optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
    })
    .transform(({ type, ...rest }): JsonSchema => {
      if (!Array.isArray(type)) return { ...rest, type };
      // `type: ["string", "null"]` is short for one schema of each type.
      return { anyOf: type.map((one) => (one === "null" ? { type: one } : { ...rest, type: one })) };
    }),
);

/** An object of the system that a policy knows of: of a kind, where it knows that. */
export interface Place {
  readonly kind?: string | undefined;
  readonly name: string;
}

type Answer = Readonly<Record<string, unknown>>;

/** Chooses a value for one place of an answer; `key` is the name of the property that it is, or is a part of. */
type Choose = (schema: JsonSchema, fill: (schema: JsonSchema) => unknown, key: string) => unknown;

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

/** Something is wrong: with this place, if one is known. Free text is its name, or its kind where a kind is asked for. */
export const alarmedAnswer = (schema: JsonSchema, place: Place | undefined): Answer =>
  answerBy(schema, ({ type, items, enum: words, anyOf = [] }, fill, key) => {
    const some = anyOf.find((one) => one.type !== "null");
    if (some) return fill(some);
    if (type === "boolean") return true;
    if (type === "string") return wordOf(place, key, words);
    if (type === "array") return items && place !== undefined ? [fill(items)] : [];
    return undefined;
  });

/** The place's word for a key; undefined: it has none among the allowed ones. */
function wordOf(place: Place | undefined, key: string, words: readonly unknown[] | undefined): unknown {
  const word = (key === "kind" ? place?.kind : place?.name) ?? "";
  return words === undefined || words.includes(word) ? word : undefined;
}

/** What is known of one thing that is wrong: by the names of an answer's properties. */
export type Known = Readonly<Record<string, string | undefined>>;

/**
 * Something is wrong: all of this. A list has an item for each, which differ; what is no list is the first's. Texts and
 * words are taken by the names of their properties; what nothing is known of is left out, or empty.
 */
export const foundAnswer = (schema: JsonSchema, found: readonly Known[]): Answer => {
  const [first = {}] = found;
  return foundValue(schema, first, found, "") as Answer;
};

function foundValue(schema: JsonSchema, one: Known, found: readonly Known[], key: string): unknown {
  const { type, enum: words, items, anyOf = [], properties = {}, required } = schema;
  const some = anyOf.find((each) => each.type !== "null");
  if (some) return foundValue(some, one, found, key);
  if (type === "boolean") return true;
  if (type === "array") {
    const all = items ? found.map((each) => foundValue(items, each, found, key)) : [];
    return [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  }
  if (type === "object") {
    const wanted = Object.entries(properties).filter(
      ([name]) => (required?.includes(name) ?? true) || one[name] !== undefined,
    );
    return Object.fromEntries(wanted.map(([name, part]) => [name, foundValue(part, one, found, name)]));
  }
  const value = one[key];
  if (type === "string" && value !== undefined && (words?.includes(value) ?? true)) return value;
  return alarmedAnswer({ type: "object", properties: { [key]: schema } }, undefined)[key];
}

/** One of the answers that fit, drawn; free text is one of the places that were seen, or nothing. */
export const drawnAnswer = (schema: JsonSchema, rng: Rng, seen: readonly Place[]): Answer => {
  const place = seen.length > 0 ? rng.fork("place").pick(seen) : undefined;
  return answerBy(schema, (part, fill, key) => {
    const { type, enum: words, anyOf, items } = part;
    if (anyOf && anyOf.length > 0) return fill(rng.pick(anyOf));
    if (words && words.length > 0) return rng.pick(words);
    if (type === "boolean") return rng.int(2) === 1;
    if (type === "array") return items && rng.int(2) === 1 ? [fill(items)] : [];
    if (type === "integer" || type === "number") return drawnNumber(part, rng);
    if (type === "string") return wordOf(place, key, words);
    return undefined;
  });
};

/** Numbers from 0 or the minimum on, 101 of them where no maximum comes before. */
function drawnNumber(schema: JsonSchema, rng: Rng): number {
  const least = leastNumber(schema);
  const most = Math.min(schema.maximum ?? Number.POSITIVE_INFINITY, least + 100);
  return least + rng.int(most - least + 1);
}

/** What an unbounded integer of zod has for a minimum is no number to answer with. */
function leastNumber({ minimum = 0, maximum = 0 }: JsonSchema): number {
  return minimum > Number.MIN_SAFE_INTEGER ? minimum : Math.min(0, maximum);
}

/** Whether an answer holds words that the schema does not list. */
export function asksForText({
  type,
  enum: words,
  const: only,
  anyOf,
  items,
  properties,
}: JsonSchema): boolean {
  if (type === "string" && words === undefined && only === undefined) return true;
  return [...(anyOf ?? []), ...(items ? [items] : []), ...Object.values(properties ?? {})].some(asksForText);
}

function answerBy(schema: JsonSchema, choose: Choose): Answer {
  const fill = (one: JsonSchema, key: string, depth: number): unknown => {
    if (depth > mostDepth) return null;
    const inner = (part: JsonSchema, name = key) => fill(part, name, depth + 1);
    const chosen = choose(one, inner, key);
    return chosen === undefined ? plainValue(one, inner) : chosen;
  };
  return Object.fromEntries(neededOf(schema).map(([name, property]) => [name, fill(property, name, 1)]));
}

/** What may be left out is: rules have nothing to say there. */
function neededOf({ properties = {}, required }: JsonSchema): [string, JsonSchema][] {
  return Object.entries(properties).filter(([name]) => required?.includes(name) ?? true);
}

/** The least that fits. */
function plainValue(schema: JsonSchema, fill: (schema: JsonSchema, key?: string) => unknown): unknown {
  const { type, enum: words, const: only } = schema;
  if (only !== undefined) return only;
  if (words && words.length > 0) return words[0];
  switch (type) {
    case "object":
      return Object.fromEntries(neededOf(schema).map(([name, one]) => [name, fill(one, name)]));
    case "array":
      return [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return leastNumber(schema);
    case "null":
      return null;
    default:
      return "";
  }
}
