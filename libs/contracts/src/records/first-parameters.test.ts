import { expect, test } from "vitest";
import { firstParameters } from "./planned-problem.ts";

const request = { parameters: { "cpu-stress": { workers: 2 } } };
const problem = { id: "a@1/b", environment: "shop", report: "none", concealment: "neutral" } as const;

test("the problem's parameters win over the request's, also where it has none", () => {
  expect(firstParameters({ failure: "cpu-stress" }, request)).toEqual({ workers: 2 });
  expect(firstParameters({ failure: "disk-io" }, request)).toBeUndefined();
  expect(firstParameters({ failure: "constructor" }, request)).toBeUndefined();
  expect(firstParameters({ failure: "cpu-stress" }, {})).toBeUndefined();
  expect(firstParameters({ failure: "cpu-stress", problem }, request)).toBeUndefined();
  const own = { ...problem, parameters: { workers: 7 } };
  expect(firstParameters({ failure: "cpu-stress", problem: own }, request)).toEqual({ workers: 7 });
});
