import { nearest, oneOf, visibleText } from "@microremed/core";
import { z } from "zod";

/** A value that does not fit its schema. */
export interface WrongValue {
  /** Its place, e.g. `workloads.web.containers[0].image`; empty: all of it. */
  readonly field: string;
  /** What was expected there, to be read after "expected". */
  readonly expected: string;
}

/**
 * Everything that a schema found wrong, in words for the value's author. With the value, what stands there is repeated;
 * with the schema too, a field that there is not is answered with those that there are.
 */
export function wrongValues(error: z.core.$ZodError, value?: unknown, schema?: z.ZodType): WrongValue[] {
  return firstOfEachPlace(error.issues).flatMap((issue) => {
    const at = (path: readonly PropertyKey[], expected: string): WrongValue => ({
      field: z.core.toDotPath(path),
      expected,
    });
    if (issue.code !== "unrecognized_keys")
      return [at(issue.path, `${expectedOf(issue)}${insteadOf(valueAt(value, issue.path))}`)];
    const known = schema ? fieldsAt(schema, issue.path, value) : [];
    return issue.keys.map((key) => at([...issue.path, key], noField(key, known)));
  });
}

/** What is of another type is also too long, say: only the first is worth saying. */
function firstOfEachPlace(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const said = new Set<string>();
  return issues.filter(({ code, path }) => {
    const place = z.core.toDotPath(path);
    if (code === "unrecognized_keys") return true;
    if (said.has(place)) return false;
    said.add(place);
    return true;
  });
}

/** Most fields that one message lists. */
const mostFields = 16;

function noField(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  if (near.length > 0) return `no field of this name; did you mean ${oneOf(near)}?`;
  if (known.length === 0) return "no field of this name";
  const shown = known.slice(0, mostFields).join(", ");
  const more = known.length > mostFields ? ` and ${known.length - mostFields} more` : "";
  return `no field of this name; there are ${shown}${more}`;
}

/** Most characters of a value that one message repeats. */
const mostRepeated = 60;

/** To be read after what was expected. Objects and lists are not repeated, nor what is not there. */
function insteadOf(value: unknown): string {
  if (value === undefined || (typeof value === "object" && value !== null)) return "";
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean" && value !== null)
    return "";
  const text = visibleText(JSON.stringify(value));
  return `, not ${text.length > mostRepeated ? `${text.slice(0, mostRepeated)}...` : text}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let there = value;
  for (const key of path) {
    if (typeof there !== "object" || there === null || !Object.hasOwn(there, key)) return undefined;
    there = (there as Record<PropertyKey, unknown>)[key];
  }
  return there;
}

/** Names of the fields that an object may have at a place; of a union, those of the options that the value may be. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  const { def } = schema._zod as { readonly def: SchemaDef };
  const [key, ...rest] = path;
  const inner = def.innerType ?? def.in;
  if (inner) return fieldsAt(inner, path, value);
  if (def.options) {
    const { discriminator } = def;
    const of = discriminator === undefined ? undefined : valueAt(value, [discriminator]);
    const fits = def.options.filter((one) => of === undefined || takes(one, discriminator, of));
    return [...new Set(fits.flatMap((one) => fieldsAt(one, path, value)))];
  }
  if (key === undefined) return Object.keys(def.shape ?? {});
  const next = def.shape ? def.shape[String(key)] : (def.element ?? def.valueType);
  return next ? fieldsAt(next, rest, valueAt(value, [key])) : [];
}

/** What is used of the definitions of zod's schemas: of objects, lists, records, unions, and what wraps another schema. */
interface SchemaDef {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly discriminator?: string;
}

/** Whether an option of a union is the one for this value of its discriminator. */
function takes(option: z.core.$ZodType, discriminator: string | undefined, value: unknown): boolean {
  const { shape } = (option._zod as { readonly def: SchemaDef }).def;
  const field = discriminator === undefined ? undefined : shape?.[discriminator];
  return field === undefined || z.core.safeParse(field, value).success;
}

function expectedOf(issue: z.core.$ZodIssue): string {
  // What a schema of ours says itself is in words already.
  if (!/^(Invalid|Too small|Too big)/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `${kindOf(issue.expected)}${issue.message.endsWith("received undefined") ? "; it is missing" : ""}`;
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(" or ");
    case "too_small":
      return `${kindOf(issue.origin)} ${boundIn(issue.origin, issue.inclusive ? "at least" : "more than", issue.minimum)}`;
    case "too_big":
      return `${kindOf(issue.origin)} ${boundIn(issue.origin, issue.inclusive ? "at most" : "less than", issue.maximum)}`;
    case "invalid_format":
      return issue.format === "regex"
        ? `a text that matches ${issue.pattern}`
        : `a text that is ${issue.format}`;
    case "invalid_union":
      return expectedOfUnion(issue);
    case "invalid_key":
      return `another key: ${issue.issues.map(expectedOf).join(" and ")}`;
    default:
      return "another value";
  }
}

function expectedOfUnion({ errors, discriminator, ...issue }: z.core.$ZodIssueInvalidUnion): string {
  if (discriminator !== undefined && "options" in issue && Array.isArray(issue.options))
    return issue.options.map((value) => JSON.stringify(value)).join(" or ");
  const options = errors.flatMap(([first]) => (first && first.path.length === 0 ? [expectedOf(first)] : []));
  return [...new Set(options)].join(", or ") || "another value";
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  set: "a list",
  object: "an object",
  record: "an object",
  map: "an object",
  null: "null",
};
const kindOf = (name: string): string => kinds[name] ?? `a value of the type ${name}`;

function boundIn(origin: string, relation: string, bound: number | bigint): string {
  const unit =
    origin === "string" ? "character" : origin === "array" || origin === "set" ? "item" : undefined;
  if (unit === undefined) return `of ${relation} ${bound}`;
  return `of ${relation} ${bound} ${unit}${bound === 1 ? "" : "s"}`;
}
