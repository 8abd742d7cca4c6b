import { checkPlaybook, parsePlaybook } from "@microremed/ansible";
import { sharedShortcuts } from "@microremed/catalogue";
import { createPolicyRegistry } from "@microremed/policies";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { auditable, planAudit } from "./plan-audit.ts";

const catalogue = await builtInCatalogue();
const { environments } = catalogue;

test.each(environments.names)("every remedy that fits %s is a playbook that may run", (name) => {
  const environment = environments.get(name);
  const runs = planAudit(catalogue, environment, auditable(catalogue), 60, 1);
  const guard = { policy: createPolicyRegistry().get("open"), namespace: environment.namespace };
  for (const { playbook } of runs) {
    const parsed = parsePlaybook(playbook);
    expect(parsed.ok && checkPlaybook(parsed.plays, guard), playbook).toEqual([]);
  }
});

test("half of the runs are repairs, a quarter and more do nothing, and all remedies come to pass", () => {
  const runs = planAudit(catalogue, environments.get("online-boutique"), auditable(catalogue), 60, 1);
  expect(runs.filter(({ remedy }) => remedy.kind === "repair")).toHaveLength(runs.length / 2);
  expect(runs.filter(({ remedy }) => remedy.name === "noop").length).toBe(runs.length / 4);
  const seen = new Set(runs.map(({ remedy }) => remedy.name));
  const own = catalogue.faults.all().flatMap((fault) => [...fault.shortcuts, ...fault.repairs]);
  expect([...sharedShortcuts, ...own].filter(({ name }) => !seen.has(name))).toEqual([]);
});

test("the seed decides the plan", () => {
  const plan = (seed: number) =>
    planAudit(catalogue, environments.get("simple-micro"), ["cpu-stress"], 10, seed);
  expect(plan(1)).toEqual(plan(1));
  expect(plan(1).map(({ seed }) => seed)).not.toEqual(plan(2).map(({ seed }) => seed));
});

test("a wrong configuration is set right with the environment's own numbers", () => {
  const runs = planAudit(catalogue, environments.get("simple-micro"), ["pod-config-error"], 12, 1);
  const of = (name: string) => runs.find(({ remedy }) => remedy.name === name)?.playbook;
  expect(of("set-resources")).toMatch(/--limits=cpu=500m,memory=2000Mi --requests=cpu=100m,memory=300Mi/);
  expect(of("generous-resources")).toMatch(/--limits=cpu=1000m,memory=4000Mi/);
});
