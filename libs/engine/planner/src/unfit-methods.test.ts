import { expect, test } from "vitest";
import { unfitMethods } from "./unfit-methods.ts";

const known = {
  methods: ["Once", "Any"],
  does: (method: string, task: string) => task !== "nothing" && (method === "Any" || task === "mitigation"),
};

test("names each method that cannot do a task, and those that can", () => {
  expect(unfitMethods({ method: ["Once", "Any"], task: ["mitigation"] }, known)).toEqual([]);
  expect(unfitMethods({ method: ["Once", "Any"], task: ["mitigation", "detection"] }, known)).toEqual([
    'Once cannot do the task detection; use "Any"',
  ]);
  expect(unfitMethods({ method: ["Any"], task: ["nothing"] }, known)).toEqual([
    "Any cannot do the task nothing; no method here can",
  ]);
});
