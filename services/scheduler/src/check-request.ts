import { ExperimentRequest } from "@microremed/contracts";
import { AppError, oneOf } from "@microremed/core";
import type { Plan } from "@microremed/planner";
import type { z } from "zod";
import type { Catalog } from "./service.types.ts";

export interface Issue {
  /** Where in the request, e.g. `failures.3`; empty: the request as a whole. */
  readonly path: string;
  readonly message: string;
}

export type CheckedRequest =
  | { readonly ok: true; readonly request: ExperimentRequest; readonly plan: Plan }
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly id: string | undefined };

/** Reads a request as any client may have written it, and plans it. Names everything that is wrong with it. */
export function checkRequest(text: string, catalog: Catalog): CheckedRequest {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      id: undefined,
      issues: [{ path: "", message: `the request is not JSON: ${String(error)}` }],
    };
  }
  const parsed = ExperimentRequest.safeParse(raw);
  const issues = oncePerField([
    ...(parsed.success ? [] : parsed.error.issues.flatMap(issuesOf)),
    ...unknownNames(raw, catalog),
  ]);
  if (parsed.success && issues.length === 0) issues.push(...unfit(parsed.data, catalog));
  if (!parsed.success || issues.length > 0) return { ok: false, issues: bounded(issues), id: idIn(raw) };
  try {
    const plan = catalog.plan(parsed.data);
    const message = catalog.withoutPublishedRule(parsed.data);
    if (message !== undefined) return { ok: false, issues: [{ path: "verdict", message }], id: idIn(raw) };
    return { ok: true, request: parsed.data, plan };
  } catch (thrown) {
    const { message } = AppError.from(thrown);
    return { ok: false, issues: [{ path: "failures", message }], id: idIn(raw) };
  }
}

const maxIssues = 100;

function bounded(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length <= maxIssues) return issues;
  const left = issues.length - maxIssues;
  return [...issues.slice(0, maxIssues), { path: "", message: `and ${left} more fields are wrong` }];
}

/** Everything that is wrong with one field in one issue. */
function oncePerField(issues: readonly Issue[]): Issue[] {
  const messages = new Map<string, string[]>();
  for (const { path, message } of issues) messages.set(path, [...(messages.get(path) ?? []), message]);
  return [...messages].map(([path, several]) => ({ path, message: several.join("; ") }));
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => ({
      path: [...issue.path, name].join("."),
      message: "there is no such field",
    }));
  }
  const path = issue.path.join(".");
  if (isMissing(issue)) return [{ path, message: "is missing" }];
  if (path === "failures" || path === "model" || path === "method" || path === "task")
    return [{ path, message: `expected ${ExperimentRequest.shape[path].description}` }];
  return [{ path, message: issue.message }];
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "invalid_union") return issue.errors.flat().some(isMissing);
  return issue.path.length <= 1 && issue.message.endsWith("received undefined");
}

/** Names that are well-formed but unknown; checked even where other fields are wrong. */
function unknownNames(raw: unknown, catalog: Catalog): Issue[] {
  if (typeof raw !== "object" || raw === null) return [];
  const { environment, method, task, failures, clusters, policy } = raw as Record<string, unknown>;
  const check = (path: string, value: unknown, known: readonly string[]): Issue[] =>
    typeof value !== "string" || value === "" || known.includes(value)
      ? []
      : [
          {
            path,
            message: `${JSON.stringify(value.slice(0, 100))} is not known here; known: ${oneOf(known)}`,
          },
        ];
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 100_000) : []);
  return [
    ...check("environment", environment, catalog.environments),
    ...check("method", method, catalog.methods),
    ...check("task", task, catalog.tasks),
    ...list(task).flatMap((name, i) => check(`task.${i}`, name, catalog.tasks)),
    ...list(method).flatMap((name, i) => check(`method.${i}`, name, catalog.methods)),
    ...check("failures", failures, catalog.plans),
    ...check("policy", policy, catalog.policies),
    ...list(failures).flatMap((name, i) => check(`failures.${i}`, name, catalog.failures)),
    ...list(clusters).flatMap((name, i) => check(`clusters.${i}`, name, catalog.clusters)),
  ];
}

/** Methods that cannot do what is asked of them. */
function unfit({ method: methods, task: tasks }: ExperimentRequest, catalog: Catalog): Issue[] {
  return methods.flatMap((method, i) =>
    tasks
      .filter((task) => !catalog.does(method, task))
      .map((task) => ({ path: `method.${i}`, message: `${method} cannot do the task ${task}` })),
  );
}

/** The id that the client gave, if it is one. */
function idIn(raw: unknown): string | undefined {
  if (typeof raw !== "object" || raw === null || !("id" in raw)) return undefined;
  const id = ExperimentRequest.shape.id.safeParse(raw.id);
  return id.success ? id.data : undefined;
}
