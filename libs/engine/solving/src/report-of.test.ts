import { failureReport, parseFailureReport } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { z } from "zod";
import { reportOf } from "./report-of.ts";
import { aCommand } from "./testing/turn-fixture.ts";

const repair = { answer: null };

test("a failure report is read back from any prompt that holds it", () => {
  const report = { environment: "simple-micro", namespace: "a-1", failure: "pod-fail", target: "gateway" };
  expect(parseFailureReport(`Hello\n${failureReport(report)}\nBye: x`)).toEqual(report);
  expect(parseFailureReport("Namespace: a")).toBeUndefined();
});

test("a report of symptoms or of nothing names neither the service nor the category", () => {
  const command = aCommand({ failure: "cpu-stress", target: "cartservice" });
  const measurements = [
    { name: "cpu usage of p/server", value: 0.29512, unit: "cores", threshold: 0.15, at: 1 },
    { name: "requests answered", value: null, unit: "", threshold: null, at: 1 },
  ];
  const symptoms = failureReport(
    reportOf({ ...command, diagnosis: { kind: "symptoms", measurements } }, repair),
  );
  expect(symptoms).toContain(
    "Symptoms:\n- cpu usage of p/server: 0.295 cores (compared with 0.15 cores)\n- requests answered: could not be measured",
  );
  const healthy = failureReport(
    reportOf({ ...command, diagnosis: { kind: "symptoms", measurements: [] } }, repair),
  );
  expect(healthy).toContain("none: all measurements are as usual");
  const nothing = failureReport(reportOf({ ...command, diagnosis: { kind: "none" } }, repair));
  for (const text of [symptoms, nothing]) expect(text).not.toMatch(/cpu-stress|cartservice/);
  expect(parseFailureReport(nothing)).toEqual({
    environment: command.environment,
    namespace: command.arena.namespace,
  });
});

test("a task with an answer is not given the failure and its place, unless the request has symptoms reported", () => {
  const command = aCommand({ failure: "cpu-stress", target: "cartservice" });
  expect(reportOf(command, repair)).toMatchObject({ failure: "cpu-stress", target: "cartservice" });
  const asked = failureReport(reportOf(command, { answer: z.strictObject({ anomaly: z.boolean() }) }));
  expect(asked).not.toMatch(/cpu-stress|cartservice/);
});
