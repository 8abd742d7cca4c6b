import { expect, test } from "vitest";
import { checkRequest } from "./check-request.ts";
import { aCatalog } from "./testing/catalog.ts";

const issuesOf = (request: unknown): Record<string, string> => {
  const checked = checkRequest(typeof request === "string" ? request : JSON.stringify(request), aCatalog);
  return checked.ok ? {} : Object.fromEntries(checked.issues.map(({ path, message }) => [path, message]));
};

test("accepts the two fields without defaults and plans by the rest", () => {
  const checked = checkRequest(
    '{"environment":"shop","model":"reference/noop","failures":["cpu-stress"]}',
    aCatalog,
  );
  expect(checked).toMatchObject({
    ok: true,
    request: { method: ["ThinkRemed"], model: ["reference/noop"], maxAttempts: 2 },
    plan: { total: 1 },
  });
  expect(checked.ok && checked.plan.episodes(0, 9)).toMatchObject([{ index: 0, failure: "cpu-stress" }]);
});

test("names every wrong field, and what exists instead", () => {
  const issues = issuesOf({
    id: "No Id",
    environment: "shopp",
    method: "Magic",
    failures: ["cpu-stress", "gremlins"],
    clusters: ["c9"],
    policy: "lax",
    maxAttempts: 0,
    timeouts: { modelSeconds: "long" },
    colour: "red",
  });
  expect(Object.keys(issues).toSorted()).toEqual([
    "clusters.0",
    "colour",
    "environment",
    "failures.1",
    "id",
    "maxAttempts",
    "method",
    "model",
    "policy",
    "timeouts.modelSeconds",
  ]);
  expect(issues["model"]).toBe("is missing");
  expect(issues["environment"]).toContain('"shop"');
  expect(issues["failures.1"]).toContain('"cpu-stress"');
  expect(issues["policy"]).toContain('"guarded"');
});

test("says what a failure plan may be", () => {
  expect(issuesOf({ environment: "shop", model: "m", failures: 7 })["failures"]).toContain("random");
  expect(issuesOf({ environment: "shop", model: "m", failures: "extreme" })["failures"]).toContain(
    '"easy@1"',
  );
});

test("says which versions there are of a suite that is named without one", () => {
  const asked = { model: "m", problems: "range" };
  expect(issuesOf(asked)["problems"]).toContain('say which version: "range@1" or "range@2"');
  expect(issuesOf({ environment: "shop", model: "m", failures: "easy" })["failures"]).toContain(
    'say which version: "easy@1"',
  );
});

test("says why a request that is well-formed cannot be planned", () => {
  const issues = issuesOf({ environment: "shop", model: "m", failures: ["no-target"] });
  expect(issues["failures"]).toContain("has no target");
});

test("survives what is no request at all", () => {
  for (const text of ["", "{", "null", "[]", "7", '"x"', '{"__proto__":1}']) {
    expect(checkRequest(text, aCatalog).ok).toBe(false);
  }
  expect(issuesOf("{")[""]).toContain("not JSON");
});

test("names what is wrong with a list of methods or models", () => {
  const matrix = { environment: "shop", model: ["a", ""], method: ["SoloGen", "Magic"] };
  const issues = issuesOf(matrix);
  expect(Object.keys(issues).toSorted()).toEqual(["method.1", "model.1"]);
  expect(issuesOf({ environment: "shop", model: 7 })["model"]).toMatch(
    /^expected name of a model, or a list/,
  );
  expect(issuesOf({ environment: "shop" })).toEqual({ model: "is missing" });
});

test("refuses the published rules' verdict where they have no check", () => {
  const request = { environment: "shop", model: "m", failures: ["cpu-stress", "unpublished"] };
  expect(issuesOf({ ...request, verdict: "microremed" })).toEqual({ verdict: "no check for unpublished" });
  expect(issuesOf(request)).toEqual({});
});

test("names the methods that can do a task when the given one, or the default, cannot", () => {
  const issues = issuesOf({ environment: "shop", model: "m", method: "SoloGen", task: "detection" });
  expect(issues).toEqual({ method: 'SoloGen cannot do the task detection; use "ThinkRemed"' });
});

test("parameters of failures are checked when the rest is right, and must be bounded", () => {
  const request = { environment: "shop", model: "m", failures: ["cpu-stress"] };
  expect(issuesOf({ ...request, parameters: { "cpu-stress": { workers: 2 } } })).toEqual({
    "parameters.cpu-stress": "is set",
  });
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  const text = JSON.stringify({ ...request, parameters: { "cpu-stress": { workers: "deep" } } });
  expect(issuesOf(text.replace('"deep"', deep))).toEqual({
    "parameters.cpu-stress": "it is nested more than 8 deep",
  });
});
