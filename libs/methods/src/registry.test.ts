import { expect, test } from "vitest";
import { failureReport, parseFailureReport } from "./failure-report.ts";
import { methodNamed, methods } from "./registry.ts";

test("methods are found by name, and an unknown one is answered with the known", () => {
  expect(Object.keys(methods)).toEqual(["SoloGen", "ThinkRemed"]);
  expect(methodNamed("ThinkRemed").maxAttempts(5)).toBe(5);
  expect(methodNamed("SoloGen").maxAttempts(5)).toBe(1);
  expect(() => methodNamed("toString")).toThrow(
    'no method is called "toString"; known: "SoloGen" or "ThinkRemed"',
  );
});

test("a failure report is read back from any prompt that holds it", () => {
  const report = { environment: "simple-micro", namespace: "a-1", failure: "pod-fail", target: "gateway" };
  expect(parseFailureReport(`Hello\n${failureReport(report)}\nBye: x`)).toEqual(report);
  expect(parseFailureReport("Namespace: a")).toBeUndefined();
});
