import { checkPlaybook, parsePlaybook } from "@microremed/ansible";
import { type Remedy, sharedShortcuts, targetText } from "@microremed/catalogue";
import { createPolicyRegistry } from "@microremed/policies";
import { expect, test } from "vitest";
import { patientOf } from "./patient-of.ts";
import { auditable, planAudit } from "./plan-audit.ts";
import { catalogue } from "./testing/entries.ts";

const { environments } = catalogue;

test.each(environments.names)("%s: every remedy that fits is a playbook that may run", async (name) => {
  const environment = environments.get(name);
  const runs = planAudit(catalogue, environment, auditable(catalogue, environment).failures, 60, 1);
  const guard = { policy: createPolicyRegistry().get("open"), namespace: environment.namespace };
  for (const { playbook } of runs) {
    const parsed = parsePlaybook(playbook);
    expect(parsed.ok && (await checkPlaybook(parsed.plays, guard)), playbook).toEqual([]);
  }
});

test("half of the runs are repairs, a quarter and more do nothing, and all remedies come to pass", () => {
  const environment = environments.get("online-boutique");
  const { failures } = auditable(catalogue, environment);
  const runs = planAudit(catalogue, environment, failures, 60, 1);
  expect(runs.filter(({ remedy }) => remedy.kind === "repair")).toHaveLength(runs.length / 2);
  expect(runs.filter(({ remedy }) => remedy.name === "noop").length).toBe(runs.length / 4);
  const seen = new Set(runs.map(({ remedy }) => remedy.name));
  const own = failures.map(catalogue.faults.get).flatMap((fault) => {
    const patients = fault
      .targets(environment)
      .map((target) => patientOf(fault, environment, environment.namespace, targetText(target)));
    const fits = ({ applies }: Remedy) => patients.some((patient) => applies?.(patient) ?? true);
    return [...fault.shortcuts, ...fault.repairs].filter(fits);
  });
  expect([...sharedShortcuts, ...own].filter(({ name }) => !seen.has(name))).toEqual([]);
});

test("a fault without a target in an environment is left out of its audit and named", () => {
  const { dataMounts, ...rest } = environments.get("simple-micro");
  const environment = { ...rest, dataMounts: {} };
  const { failures, withoutTarget } = auditable(catalogue, environment);
  const needsMount = catalogue.faults.all().filter((fault) => fault.targets(environment).length === 0);
  expect(Object.keys(dataMounts).length).toBeGreaterThan(0);
  expect(needsMount.length).toBeGreaterThan(0);
  expect(withoutTarget).toEqual(needsMount.map(({ name }) => name));
  expect(new Set(planAudit(catalogue, environment, failures, 4, 1).map(({ failure }) => failure))).toEqual(
    new Set(failures),
  );
});

test("where a fault has no shortcut but doing nothing, that is what its runs do", () => {
  const fault = {
    ...catalogue.faults.get("cpu-stress"),
    shortcuts: [],
    notShortcuts: sharedShortcuts.flatMap(({ name }) => (name === "noop" ? [] : [name])),
  };
  const faults = { ...catalogue.faults, get: () => fault };
  const runs = planAudit({ ...catalogue, faults }, environments.get("simple-micro"), [fault.name], 8, 1);
  expect(runs.flatMap(({ remedy }) => (remedy.kind === "shortcut" ? [remedy.name] : []))).toEqual(
    Array(4).fill("noop"),
  );
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
