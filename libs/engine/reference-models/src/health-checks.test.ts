import { expect, test } from "vitest";
import { checksOf } from "./health-checks.ts";
import { runbook } from "./policies/runbook.ts";
import type { Situation } from "./policy.ts";

const library = [{ name: "burn", cause: { kind: "StressChaos" } }] as unknown as Parameters<
  typeof checksOf
>[1];
const checks = checksOf("shop", library);
const [causes, workloads, usage] = checks;

const limits = "server=250m,64Mi cart-0\na=1,1Gi b=100m,128Mi web-0\nx=,64Mi db-0\n";

test.each([
  [causes, "exit code 0\nstresschaos.chaos-mesh.org/a-1", { kind: "StressChaos", name: "a-1" }],
  [causes, "exit code 0\n(no output)", undefined],
  [causes, "exit code 1\nError from server (Forbidden): stresschaos.chaos-mesh.org is forbidden", undefined],
  [workloads, "exit code 0\nDeployment/cart 1/1/1\nStatefulSet/web 2/2/2", undefined],
  [
    workloads,
    "exit code 0\nDeployment/cart //1\nStatefulSet/web 2/2/2",
    { kind: "Deployment", name: "cart" },
  ],
  [workloads, "exit code 0\nDeployment/cart //0", undefined],
  [workloads, "exit code 0\nDeployment/cart 1/2/1", { kind: "Deployment", name: "cart" }],
  [usage, `exit code 0\n${limits}cart-0   server   30m   20Mi\nweb-0 a 800m 1Mi\ndb-0 x 4 10Mi`, undefined],
  [usage, `exit code 0\n${limits}web-0 a 800m 1Mi\nweb-0 b 95m 1Mi`, { kind: "Pod", name: "web-0" }],
  [usage, `exit code 0\n${limits}cart-0   server   249m   20Mi`, { kind: "Pod", name: "cart-0" }],
  [usage, `exit code 0\n${limits}db-0   x   1m   63Mi`, { kind: "Pod", name: "db-0" }],
  [usage, `exit code 1\n${limits}error: Metrics not available`, undefined],
])("%o in %j: %o", (check, output, found) => {
  expect(check?.findsIn(output)).toEqual(found);
});

const situation = (observations: readonly string[], canProbe = true): Situation & { answer: object } => ({
  report: { environment: "shop", namespace: "shop" },
  attempt: 1,
  seed: 1,
  canProbe,
  observations,
  tools: [],
  answers: new Map(),
  pausesBefore: 0,
  answer: { properties: { anomaly: { type: "boolean" } } },
});

test("the runbook goes through its checks until one finds something, and no further", () => {
  expect(runbook.answer(situation([]), library)).toEqual({ probe: causes?.command });
  expect(runbook.answer(situation(["stresschaos.chaos-mesh.org/a-1"]), library)).toEqual({
    answer: { anomaly: true },
  });
  const calm = ["exit code 0\n(no output)", "exit code 0\ncart 1/1/1", `exit code 0\n${limits}`];
  expect(runbook.answer(situation(calm.slice(0, 1)), library)).toEqual({ probe: workloads?.command });
  expect(runbook.answer(situation(calm), library)).toEqual({ answer: { anomaly: false } });
  expect(runbook.answer(situation([], false), library)).toEqual({ answer: { anomaly: false } });
});

test("the runbook hands over the object that it found", () => {
  const named = { properties: { kind: { type: "string" }, name: { type: "string" } } };
  const seen = ["stresschaos.chaos-mesh.org/a-1"];
  expect(runbook.answer({ ...situation(seen), answer: named }, library)).toEqual({
    answer: { kind: "StressChaos", name: "a-1" },
  });
});
