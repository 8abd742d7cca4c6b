import { needsOf } from "@microremed/llm/policy-needs";
import { expect, test } from "vitest";
import { leftOutOf, unfitMethods } from "./unfit-methods.ts";

const known = {
  methods: ["Once", "Any"],
  does: (method: string, task: string) => task !== "nothing" && (method === "Any" || task === "mitigation"),
  solver: (method: string) => {
    if (method === "Outside") return "session" as const;
    return method === "Coded" ? ("code" as const) : ("model" as const);
  },
  tools: (method: string) => (method === "Any" ? (needsOf("reference/expert")?.tools ?? []) : ["exec_shell"]),
};
const model = ["gpt"];

test("names each method that can do none of the tasks, and those that can", () => {
  expect(unfitMethods({ method: ["Once", "Any"], task: ["mitigation"], model }, known)).toEqual([]);
  const some = { method: ["Once", "Any"], task: ["mitigation", "detection"], model };
  expect(unfitMethods(some, known)).toEqual([]);
  expect(leftOutOf(some, known)).toEqual(["Once is not asked for detection: it does mitigation alone"]);
  expect(leftOutOf({ method: ["Once"], task: ["detection"] }, known)).toEqual([]);
  expect(unfitMethods({ method: ["Once"], task: ["detection", "analysis"], model }, known)).toEqual([
    'Once cannot do any of the tasks detection, analysis; use "Any"',
  ]);
  expect(unfitMethods({ method: ["Any"], task: ["nothing"], model }, known)).toEqual([
    "Any cannot do the task nothing; no method here can",
  ]);
});

test("a method of code is asked for with one model, one with a model not without, and one of sessions with sessions", () => {
  const unfit = (method: string, models: string[]) =>
    unfitMethods({ method: [method], task: ["mitigation"], model: models }, { ...known, does: () => true });
  expect(unfit("Coded", ["gpt"])).toEqual([]);
  expect(unfit("Coded", ["none"])).toEqual([]);
  expect(unfit("Any", ["gpt", "other"])).toEqual([]);
  expect(unfit("Coded", ["gpt", "other"])).toEqual([expect.stringContaining("the same 2 times")]);
  expect(unfit("Outside", ["session/a", "session/b@1"])).toEqual([]);
  expect(unfit("Outside", ["session/a", "gpt"])).toEqual([expect.stringContaining("session/<agent>")]);
  expect(unfit("Any", ["gpt", "session/a"])).toEqual([
    expect.stringContaining("session/a is an outside agent"),
  ]);
  expect(unfit("Any", ["none"])).toEqual([expect.stringContaining("name a model")]);
});

test("a policy that calls tools is refused with a method that does not offer them; the message says which do", () => {
  const unfit = (method: string[], models: string[]) =>
    unfitMethods({ method, task: ["mitigation"], model: models }, known);
  expect(unfit(["Any"], ["reference/expert", "gpt"])).toEqual([]);
  expect(unfit(["Once"], ["reference/runbook"])).toEqual([]);
  expect(unfit(["Any", "Once"], ["gpt", "reference/expert"])).toEqual([
    'reference/expert calls diff_since, get_events, get_topology, query_metrics, wait, which Once does not offer; use "Any"',
  ]);
  // Code that calls no model has its own calls.
  expect(unfit(["Coded"], ["reference/expert"])).toEqual([]);
});
