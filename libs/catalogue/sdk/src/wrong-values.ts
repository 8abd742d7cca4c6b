import { z } from "zod";

/** A value that does not fit its schema. */
export interface WrongValue {
  /** Its place, e.g. `workloads.web.containers[0].image`; empty: all of it. */
  readonly field: string;
  /** What was expected there, to be read after "expected". */
  readonly expected: string;
}

/** Everything that a schema found wrong, in words for the value's author. */
export function wrongValues(error: z.core.$ZodError): WrongValue[] {
  return error.issues.flatMap((issue) => {
    const at = (path: readonly PropertyKey[], expected: string): WrongValue => ({
      field: z.core.toDotPath(path),
      expected,
    });
    if (issue.code !== "unrecognized_keys") return [at(issue.path, expectedOf(issue))];
    return issue.keys.map((key) => at([...issue.path, key], "no field of this name"));
  });
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
