import { expect, test } from "vitest";
import { differences, type EndedCase } from "./differences.ts";

const aCase = (number: number, changes: Partial<EndedCase> = {}): EndedCase => ({
  caseId: `1/${number}/cpu-stress/cart`,
  target: "cart",
  outcome: "remediated",
  reason: "every oracle passed",
  damage: { changes: [] },
  injection: { verdict: { oracle: "cpu", passed: true } },
  steps: [{ tool: "exec_shell", arguments: { command: "kubectl get pods" } }],
  ...changes,
});

test("versions that end every case alike do not differ, whatever the order of the cases", () => {
  expect(differences([aCase(1), aCase(2)], [aCase(2), aCase(1)])).toEqual([]);
});

test.each<Partial<EndedCase>>([
  { target: "shop" },
  { outcome: "not-remediated" },
  { reason: "latency" },
  { damage: { changes: ["Deployment/cart"] } },
  { injection: { verdict: { oracle: "cpu", passed: false } } },
  { injection: null },
  { steps: [] },
  { steps: [{ tool: "exec_shell", arguments: { command: "kubectl get nodes" } }] },
  {
    steps: [
      {
        tool: "exec_shell",
        arguments: { command: "kubectl get pods" },
        verdict: { oracle: "cpu", passed: true },
      },
    ],
  },
])("a case that differs in %o is found, with both sides", (changes) => {
  const [found, ...others] = differences([aCase(1), aCase(2)], [aCase(1), aCase(2, changes)]);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ caseId: "1/2/cpu-stress/cart", what: Object.keys(changes)[0] });
  expect(found?.before).not.toBe(found?.now);
});

test("a case that only one version ran is found", () => {
  expect(differences([aCase(1)], [aCase(1), aCase(2)])).toEqual([
    { caseId: "1/2/cpu-stress/cart", what: "case", before: "did not run", now: "ran" },
  ]);
});
