import type { Bus } from "@microremed/bus";
import {
  type ExperimentRequest,
  ModelCheckReply,
  noModel,
  type RequestIssue,
  subjects,
} from "@microremed/contracts";
import { nearest } from "@microremed/core";
import type { Catalog } from "./service.types.ts";

/** A remediator reads its configuration; the model itself is not asked. */
const answerMs = 3_000;
/** Requests may name very many: what is not asked about here ends at its first turn. */
const mostAsked = 20;
/** What no later episode could change. */
const final: ReadonlySet<string> = new Set(["unknown-model", "invalid-config"]);

/**
 * Which models of a request no episode could use, as their remediators have them. Where none answers nothing is known: the
 * episodes wait for one.
 */
export async function unusableModels(
  bus: Pick<Bus, "request">,
  catalog: Pick<Catalog, "solver">,
  { model: models, method, judge }: Pick<ExperimentRequest, "model" | "method" | "judge">,
): Promise<readonly RequestIssue[]> {
  const isAsked = method.some((name) => catalog.solver(name) === "model");
  const places = [
    ...(isAsked
      ? models.map((model, i) => ({ model, path: models.length === 1 ? "model" : `model.${i}` }))
      : []),
    ...(judge === undefined ? [] : [{ model: judge, path: "judge" }]),
  ].filter(({ model }) => model !== noModel);
  const issues = places.slice(0, mostAsked).map(async ({ model, path }): Promise<RequestIssue[]> => {
    const trouble = await troubleOf(bus, model);
    if (!trouble || !final.has(trouble.code)) return [];
    return [{ path, message: `${trouble.message}${meant(model, trouble.details["known"])}`.slice(0, 2_000) }];
  });
  return (await Promise.all(issues)).flat();
}

async function troubleOf(bus: Pick<Bus, "request">, model: string) {
  try {
    const request = { model, timeoutSeconds: 1, configured: true };
    const options = { schema: ModelCheckReply, timeoutMs: answerMs };
    return (await bus.request(subjects.checkModel(model), request, options)).trouble;
  } catch {
    return null;
  }
}

function meant(model: string, known: unknown): string {
  if (!Array.isArray(known)) return "";
  const near = nearest(
    model,
    known.filter((name) => typeof name === "string"),
  );
  return near.length === 0 ? "" : `; did you mean ${near.join(", ")}?`;
}
