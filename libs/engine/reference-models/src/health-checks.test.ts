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
  [causes, "exit code 0\nstresschaos.chaos-mesh.org/a-1", true],
  [causes, "exit code 0\n(no output)", false],
  [causes, "exit code 1\nError from server (Forbidden): stresschaos.chaos-mesh.org is forbidden", false],
  [workloads, "exit code 0\ncart 1/1/1\nweb 2/2/2", false],
  [workloads, "exit code 0\ncart //1\nweb 2/2/2", true],
  [workloads, "exit code 0\ncart //0", false],
  [workloads, "exit code 0\ncart 1/2/1", true],
  [usage, `exit code 0\n${limits}cart-0   server   30m   20Mi\nweb-0 a 800m 1Mi\ndb-0 x 4 10Mi`, false],
  [usage, `exit code 0\n${limits}web-0 a 800m 1Mi\nweb-0 b 95m 1Mi`, true],
  [usage, `exit code 0\n${limits}cart-0   server   249m   20Mi`, true],
  [usage, `exit code 0\n${limits}db-0   x   1m   63Mi`, true],
  [usage, `exit code 1\n${limits}error: Metrics not available`, false],
])("%o in %j: %s", (check, output, isFound) => {
  expect(check?.findsIn(output)).toBe(isFound);
});

const situation = (observations: readonly string[], canProbe = true): Situation & { answer: object } => ({
  report: { environment: "shop", namespace: "shop" },
  attempt: 1,
  seed: 1,
  canProbe,
  observations,
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
