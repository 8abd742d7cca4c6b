import { ExperimentRequest, listedIssues, type RequestIssue, readRequestFields } from "@microremed/contracts";
import { AppError, likelyNames } from "@microremed/core";
import { type Plan, unfitMethods } from "@microremed/planner";
import { readJson } from "./read-json.ts";
import type { Catalog } from "./service.types.ts";

export type CheckedRequest =
  | { readonly ok: true; readonly request: ExperimentRequest; readonly plan: Plan }
  | { readonly ok: false; readonly issues: readonly RequestIssue[]; readonly id: string | undefined };

/** Reads a request as any client may have written it, and plans it. Names everything that is wrong with it. */
export function checkRequest(text: string, catalog: Catalog): CheckedRequest {
  const read = readJson(text);
  if ("issues" in read) return { ok: false, id: undefined, issues: read.issues };
  const raw = read.value;
  const { request, issues } = readRequestFields(raw, unknownNames(raw, catalog));
  if (!request) return { ok: false, issues, id: idIn(raw) };
  try {
    const asked = { method: request.method, model: request.model, task: catalog.tasksIn(request) };
    const misfits = listedIssues(
      unfitMethods(asked, catalog).map((message) => ({ path: "method", message })),
    );
    if (misfits.length > 0) return { ok: false, issues: misfits, id: idIn(raw) };
    const plan = catalog.plan(request);
    const message = catalog.withoutPublishedRule(request);
    if (message !== undefined) return { ok: false, issues: [{ path: "verdict", message }], id: idIn(raw) };
    const wrong = listedIssues(catalog.parameterIssues(request));
    if (wrong.length > 0) return { ok: false, issues: wrong, id: idIn(raw) };
    return { ok: true, request, plan };
  } catch (thrown) {
    const { message } = AppError.from(thrown);
    const path = request.problems === undefined ? "failures" : "problems";
    return { ok: false, issues: [{ path, message }], id: idIn(raw) };
  }
}

/** Names that are well-formed but unknown; checked even where other fields are wrong. */
function unknownNames(raw: unknown, catalog: Catalog): RequestIssue[] {
  if (typeof raw !== "object" || raw === null) return [];
  const { environment, method, task, failures, problems, clusters, policy } = raw as Record<string, unknown>;
  const check = (path: string, value: unknown, known: readonly string[]): RequestIssue[] =>
    typeof value !== "string" || value === "" || known.includes(value)
      ? []
      : [
          {
            path,
            message: `${JSON.stringify(value.slice(0, 100))} is not known to the scheduler (${todoOf(path)}); ${likelyNames(value, known)}`,
          },
        ];
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 100_000) : []);
  return [
    ...check("environment", environment, catalog.environments),
    ...check("method", method, catalog.methods),
    ...check("task", task, catalog.tasks),
    ...list(task).flatMap((name, i) => check(`task.${i}`, name, catalog.tasks)),
    ...list(method).flatMap((name, i) => check(`method.${i}`, name, catalog.methods)),
    ...(typeof failures !== "string" || catalog.isPlan(failures)
      ? []
      : check("failures", failures, catalog.plans())),
    ...check("problems", problems, catalog.suites),
    ...check("policy", policy, catalog.policies),
    ...list(failures).flatMap((name, i) => check(`failures.${i}`, name, catalog.failures)),
    ...list(clusters).flatMap((name, i) => check(`clusters.${i}`, name, catalog.clusters)),
  ];
}

/** What makes a name known, by the request's field. */
function todoOf(path: string): string {
  if (path.startsWith("clusters")) return "add it to the clusters file of every service";
  if (path === "policy") return "your own are in POLICIES_DIR of the scheduler and every executor";
  return "your own are in the catalogue folder that every service is started with (`--catalogue` of a local range, CATALOGUE_DIRS)";
}

/** The id that the client gave, if it is one. */
function idIn(raw: unknown): string | undefined {
  if (typeof raw !== "object" || raw === null || !("id" in raw)) return undefined;
  const id = ExperimentRequest.shape.id.safeParse(raw.id);
  return id.success ? id.data : undefined;
}
