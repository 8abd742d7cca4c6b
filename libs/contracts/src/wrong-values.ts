import { nearest, oneOf, visibleText } from "@microremed/core";
import { z } from "zod";
import { meantFields } from "./meant-fields.ts";

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
  const { issues, meant } = meantFields(firstOfEachPlace(error.issues.flatMap(unfolded)), (issue) =>
    isMissing(issue, value),
  );
  return issues.flatMap((issue) => {
    const at = (path: readonly PropertyKey[], expected: string): WrongValue => ({
      field: z.core.toDotPath(path),
      expected,
    });
    if (issue.code !== "unrecognized_keys")
      return [at(issue.path, `${expectedOf(issue)}${insteadOf(issue, value, schema)}`)];
    const known = schema ? [...new Set(schemasAt(schema, issue.path, value).flatMap(fieldsOf))] : [];
    return issue.keys.map((key) => at([...issue.path, key], noField(key, known, meant(issue, key))));
  });
}

/** Whether nothing stands where a value was expected. */
const isMissing = (issue: z.core.$ZodIssue, value: unknown): boolean =>
  value === undefined
    ? issue.code === "invalid_type" && issue.message.endsWith("received undefined")
    : issue.path.length > 0 && valueAt(value, issue.path) === undefined;

/** What `wrongValues` finds, a line for each, such as `models.a.baseUrl: expected a text; it is missing`. Repeats no value. */
export const wrongLines = (error: z.core.$ZodError, schema?: z.ZodType): string =>
  wrongValues(error, undefined, schema)
    .map(({ field, expected }) => `${field === "" ? "" : `${field}: `}expected ${expected}`)
    .join("\n");

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

/** `missing`: the field that it was meant to be. */
function noField(key: string, known: readonly string[], missing?: string): string {
  const likely = missing === undefined ? [] : nearest(key, [missing]);
  const near = likely.length > 0 ? likely : nearest(key, known);
  if (near.length > 0) return `no field of this name; did you mean ${oneOf(near)}?`;
  if (known.length === 0) return "no field of this name";
  const shown = known.slice(0, mostFields).join(", ");
  const more = known.length > mostFields ? ` and ${known.length - mostFields} more` : "";
  return `no field of this name; there are ${shown}${more}`;
}

/** Most characters of a value that one message repeats. */
const mostRepeated = 60;

/** To be read after what was expected, with what to do where it is plain. Objects and lists are not repeated, nor what is not there. */
function insteadOf(issue: z.core.$ZodIssue, whole: unknown, schema: z.ZodType | undefined): string {
  const value = valueAt(whole, issue.path);
  // What a schema of ours asks for is about more than this value.
  if (issue.code === "custom") return "";
  if (value === undefined)
    return issue.code === "invalid_value" && isOwn(issue) && isMissing(issue, whole) ? "; it is missing" : "";
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean" && value !== null)
    return "";
  const text = visibleText(JSON.stringify(value));
  const shown = text.length > mostRepeated ? `${text.slice(0, mostRepeated)}...` : text;
  return `, not ${shown}${cureOf(issue, value, shown, schema ? schemasAt(schema, issue.path, whole) : [])}`;
}

/** What to write instead of a value; empty: what was expected says it. */
function cureOf(
  issue: z.core.$ZodIssue,
  value: string | number | boolean | null,
  shown: string,
  schemas: readonly z.core.$ZodType[],
): string {
  if (value === null) return "";
  if (issue.code === "invalid_value" && typeof value === "string") {
    const near = nearest(
      value,
      issue.values.filter((one) => typeof one === "string"),
    );
    return near.length > 0 ? `; did you mean ${oneOf(near)}?` : "";
  }
  if (issue.code !== "invalid_type") return "";
  if (issue.expected === "string") return "; put it in quotes";
  if (issue.expected === "array") {
    const takesIt = schemas.some((one) => z.core.safeParse(one, [value]).success);
    return takesIt ? `; write [${shown}]` : "";
  }
  const fields = issue.expected === "object" ? schemas.flatMap(fieldsOf) : [];
  return fields.length > 0 ? `; its fields are ${fields.slice(0, mostFields).join(", ")}` : "";
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let there = value;
  for (const key of path) {
    if (typeof there !== "object" || there === null || !Object.hasOwn(there, key)) return undefined;
    there = (there as Record<PropertyKey, unknown>)[key];
  }
  return there;
}

/** The schemas of a place; of a union, those of the options that the value may be. */
function schemasAt(schema: z.core.$ZodType, path: readonly PropertyKey[], value: unknown): z.core.$ZodType[] {
  const { def } = schema._zod as { readonly def: SchemaDef };
  const [key, ...rest] = path;
  const inner = def.innerType ?? def.in;
  if (inner) return schemasAt(inner, path, value);
  if (def.options) {
    const { discriminator } = def;
    const of = discriminator === undefined ? undefined : valueAt(value, [discriminator]);
    const fits = def.options.filter((one) => of === undefined || takes(one, discriminator, of));
    return fits.flatMap((one) => schemasAt(one, path, value));
  }
  if (key === undefined) return [schema];
  const next = def.shape ? def.shape[String(key)] : (def.element ?? def.valueType);
  return next ? schemasAt(next, rest, valueAt(value, [key])) : [];
}

/** Names of the fields that an object of a schema may have. */
const fieldsOf = (schema: z.core.$ZodType): string[] =>
  Object.keys((schema._zod as { readonly def: SchemaDef }).def.shape ?? {});

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

/** Whether a message is the library's own. */
const isOwn = ({ message }: z.core.$ZodIssue): boolean =>
  /^(Invalid|Too small|Too big|Unrecognized)/.test(message);

/**
 * What an issue expects, to be read after "expected", in none of the library's own words. What a schema of ours says itself is in
 * words already.
 */
export function expectedOf(issue: z.core.$ZodIssue): string {
  if (!isOwn(issue)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `${kindOf(issue.expected)}${issue.message.endsWith("received undefined") ? "; it is missing" : ""}`;
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(" or ");
    case "too_small":
      return `${kindOf(issue.origin)} ${boundIn(issue.origin, relationOf(issue, "at least", "more than"), issue.minimum)}`;
    case "too_big":
      return `${kindOf(issue.origin)} ${boundIn(issue.origin, relationOf(issue, "at most", "less than"), issue.maximum)}`;
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_format":
      return `a text ${formOf(issue)}`;
    case "invalid_union":
      return expectedOfUnion(issue);
    case "invalid_key":
      return `another key: ${issue.issues.map(expectedOf).join(" and ")}`;
    case "invalid_element":
      return `another value of ${String(issue.key)}: ${issue.issues.map(expectedOf).join(" and ")}`;
    case "unrecognized_keys":
      return `no field ${issue.keys.join(", ")}`;
    default:
      return "another value";
  }
}

/** Of options without a name of their own the one that a value is meant to be: the only one of which a part alone is wrong. */
function unfolded(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.filter(
    (issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0),
  );
  const [only] = meant;
  if (meant.length !== 1 || !only) return [issue];
  return only.flatMap((inner) => unfolded({ ...inner, path: [...issue.path, ...inner.path] }));
}

function expectedOfUnion({ errors, discriminator, ...issue }: z.core.$ZodIssueInvalidUnion): string {
  if (discriminator !== undefined && "options" in issue && Array.isArray(issue.options))
    return issue.options.map((value) => JSON.stringify(value)).join(" or ");
  const options = errors.flatMap(([first]) => (first && first.path.length === 0 ? [expectedOf(first)] : []));
  const ofMissing = "; it is missing";
  const said = [...new Set(options.map((one) => one.replace(ofMissing, "")))].join(", or ");
  return said === ""
    ? "another value"
    : `${said}${options.some((one) => one.endsWith(ofMissing)) ? ofMissing : ""}`;
}

type Format = Pick<z.core.$ZodIssueInvalidStringFormat, "format" | "pattern"> &
  Readonly<Partial<Record<"prefix" | "suffix" | "includes", string>>>;

/** Forms of texts by the library's names; others are said to be of that form. */
const forms: Readonly<Record<string, string>> = {
  email: "that is an address of e-mail",
  url: "that is a URL",
  uuid: "that is a UUID",
  guid: "that is a UUID",
  date: "that is a date, such as 2026-01-31",
  time: "that is a time, such as 12:00:00",
  datetime: "that is a date and a time, such as 2026-01-31T12:00:00Z",
  ipv4: "that is an IPv4 address",
  ipv6: "that is an IPv6 address",
  base64: "in base64",
  json_string: "that is JSON",
};

function formOf({ format, pattern, prefix, suffix, includes }: Format): string {
  switch (format) {
    case "regex":
      return `that matches ${pattern}`;
    case "starts_with":
      return `that begins with ${JSON.stringify(prefix)}`;
    case "ends_with":
      return `that ends with ${JSON.stringify(suffix)}`;
    case "includes":
      return `that has ${JSON.stringify(includes)} in it`;
    default:
      return forms[format] ?? `of the form ${format}`;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  nan: "a number",
  bigint: "a whole number",
  date: "a date",
  array: "a list",
  tuple: "a list",
  set: "a list",
  object: "an object",
  record: "an object",
  map: "an object",
  null: "null",
};
const kindOf = (name: string): string => kinds[name] ?? "another value";

const relationOf = (
  { inclusive, exact }: { readonly inclusive?: boolean; readonly exact?: boolean },
  within: string,
  beyond: string,
): string => (exact ? "exactly" : inclusive ? within : beyond);

function boundIn(origin: string, relation: string, bound: number | bigint): string {
  const unit =
    origin === "string" ? "character" : origin === "array" || origin === "set" ? "item" : undefined;
  if (unit === undefined) return `of ${relation} ${bound}`;
  return `of ${relation} ${bound} ${unit}${bound === 1 ? "" : "s"}`;
}
