import { oneOf } from "@microremed/core";
import { z } from "zod";
import { ExperimentRequest } from "./messages/experiment-request.ts";
import { expectedOf } from "./wrong-values.ts";

/** What is wrong with one field of a request. */
export interface RequestIssue {
  /** Where in the request, e.g. `failures.3`; empty: the request as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A request that was read: with the defaults filled in, or what is wrong with it. */
export interface ReadRequest {
  /** Undefined: fields are wrong. */
  readonly request: ExperimentRequest | undefined;
  /** Every wrong field, once. */
  readonly issues: readonly RequestIssue[];
}

/**
 * Reads the fields of a request that anybody may have written, wherever it comes from: clients, files and the bus get
 * the same words. `more`: further issues, e.g. unknown names, which are listed with those of the same field.
 */
export function readRequestFields(raw: unknown, more: readonly RequestIssue[] = []): ReadRequest {
  const parsed = ExperimentRequest.safeParse(raw);
  const issues = listedIssues([...(parsed.success ? [] : issuesIn(parsed.error)), ...more]);
  return { request: parsed.success && issues.length === 0 ? parsed.data : undefined, issues };
}

/** What is wrong with the fields of a message, in the words of requests. */
export function issuesIn({ issues }: z.ZodError): readonly RequestIssue[] {
  return listedIssues(issues.flatMap(issuesOf));
}

/** One line for each wrong field. */
export function issueLines(issues: readonly RequestIssue[]): string {
  return issues.map(({ path, message }) => `  ${path || "(request)"}: ${message}`).join("\n");
}

const maxIssues = 100;

/** Issues as a reply may list them: each field once, and at most a hundred. */
export function listedIssues(all: readonly RequestIssue[]): readonly RequestIssue[] {
  const issues = oncePerField(all);
  if (issues.length <= maxIssues) return issues;
  const left = issues.length - maxIssues;
  return [...issues.slice(0, maxIssues), { path: "", message: `and ${left} more fields are wrong` }];
}

/** Everything that is wrong with one field in one issue. */
function oncePerField(issues: readonly RequestIssue[]): RequestIssue[] {
  const messages = new Map<string, string[]>();
  for (const { path, message } of issues) messages.set(path, [...(messages.get(path) ?? []), message]);
  return [...messages].map(([path, several]) => ({ path, message: several.join("; ") }));
}

function issuesOf(issue: z.core.$ZodIssue): RequestIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => ({
      path: [...issue.path, name].join("."),
      message: ["there is no such field", ...knownFields(issue.path)].join("; "),
    }));
  }
  const path = issue.path.join(".");
  if (isMissing(issue)) return [{ path, message: "is missing" }];
  if (issue.code === "custom") return [{ path, message: issue.message }];
  if (path === "failures" || path === "model" || path === "method" || path === "task")
    return [{ path, message: `expected ${ExperimentRequest.shape[path].description}` }];
  return [{ path, message: `expected ${expectedOf(issue)}` }];
}

/** The fields of a part of the request, such as its budgets. None of the request as a whole: it has too many to read. */
function knownFields(path: readonly PropertyKey[]): string[] {
  if (path.length !== 1) return [];
  const fields = Object.entries(ExperimentRequest.shape).find(([name]) => name === path[0])?.[1];
  const part = fields && innermost(fields);
  return part instanceof z.ZodObject ? [`known: ${oneOf(Object.keys(part.shape))}`] : [];
}

/** What a schema reads when its value is there. */
function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return isWrapped ? innermost(schema.unwrap()) : schema;
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "invalid_union") return issue.errors.flat().some(isMissing);
  return issue.path.length <= 1 && issue.message.endsWith("received undefined");
}
