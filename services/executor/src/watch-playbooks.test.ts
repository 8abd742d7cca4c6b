import type { Execution } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { createMetrics, noTracing } from "@microremed/service-kit";
import { expect, test } from "vitest";
import { watchPlaybooks } from "./watch-playbooks.ts";

const ends: Execution[] = [
  { status: "ok", exitCode: 0, output: "", wallSeconds: 2 },
  { status: "failed", exitCode: 2, output: "", wallSeconds: 3 },
  { status: "rejected", exitCode: null, output: "", wallSeconds: 0, rule: "lookups" },
];

test("counts runs by how they ended, and the time of those that ran", async () => {
  const metrics = createMetrics("tester");
  const answers = [...ends];
  const run = watchPlaybooks(async () => answers.shift() as Execution, metrics, noTracing);
  for (const end of ends) {
    expect(await run({ playbook: "", kubeconfig: "", timeoutMs: 1, log: silentLogger })).toEqual(end);
  }
  const text = await metrics.registry.metrics();
  for (const { status } of ends) {
    expect(text).toContain(`microremed_ansible_runs_total{status="${status}",service="tester"} 1`);
  }
  expect(text).toContain('microremed_ansible_run_duration_seconds_sum{service="tester"} 5');
  expect(text).toContain('microremed_ansible_run_duration_seconds_count{service="tester"} 2');
});
