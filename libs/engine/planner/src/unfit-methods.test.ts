import { expect, test } from "vitest";
import { leftOutOf, unfitMethods } from "./unfit-methods.ts";

const known = {
  methods: ["Once", "Any"],
  does: (method: string, task: string) => task !== "nothing" && (method === "Any" || task === "mitigation"),
  solver: (method: string) => {
    if (method === "Outside") return "session" as const;
    return method === "Coded" ? ("code" as const) : ("model" as const);
  },
};
const model = ["gpt"];

test("names each method that can do none of the tasks, and those that can", () => {
  expect(unfitMethods({ method: ["Once", "Any"], task: ["mitigation"], model }, known)).toEqual([]);
  const some = { method: ["Once", "Any"], task: ["mitigation", "detection"], model };
  expect(unfitMethods(some, known)).toEqual([]);
  expect(leftOutOf(some, known)).toEqual(["Once is not asked for detection: it does mitigation alone"]);
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
