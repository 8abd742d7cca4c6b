import { checkPlaybook, parsePlaybook } from "@microremed/ansible";
import { type Environment, sharedShortcuts } from "@microremed/catalogue";
import { shareOf } from "@microremed/catalogue/testing";
import { createPolicyRegistry } from "@microremed/policies";
import { expect, test } from "vitest";
import { type AuditOf, auditable, planAudit, settings } from "./plan-audit.ts";
import { corpus } from "./testing/corpus.ts";
import { catalogue } from "./testing/entries.ts";

const { environments } = catalogue;

const planOf = (environment: Environment, runs: number, more: Partial<AuditOf> = {}) =>
  planAudit({
    ...{ catalogue, corpus, environment, runs, seed: 1 },
    failures: more.failures ?? auditable(catalogue, environment).failures,
    ...more,
  });

const isWhole = process.env["WHOLE_PROOF"] === "true";
/** A whole proof and one system try all remedies against each failure, the other systems a part of them. */
const triesAll = (name: string): boolean => isWhole || name === "online-boutique";
/** Each value of each field at least once; a whole proof takes them in every combination. */
const tried = isWhole ? settings : [settings[0], settings[3]].filter((setting) => setting !== undefined);

test.each(environments.names)("%s: every remedy that fits is a playbook that may run", async (name) => {
  const environment = environments.get(name);
  const runs = triesAll(name) ? 260 : 30;
  const guard = { policy: createPolicyRegistry().get("open"), namespace: environment.namespace };
  const planned = tried.flatMap((setting) => planOf(environment, runs, { settings: [setting] }));
  for (const playbook of new Set(planned.map(({ playbook }) => playbook))) {
    const parsed = parsePlaybook(playbook);
    expect(parsed.ok && (await checkPlaybook(parsed.plays, guard)), playbook).toEqual([]);
    expect(playbook).not.toMatch(/@[a-zA-Z]+@|undefined/);
  }
});

test("half of the runs are repairs, and few runs of each failure try most remedies", () => {
  const planned = planOf(environments.get("train-ticket"), 28);
  const repairs = planned.filter(({ remedy }) => remedy.expected.clean);
  expect(repairs).toHaveLength(planned.length / 2);
  const names = new Set(planned.map(({ remedy }) => remedy.name));
  expect(corpus.filter(({ name }) => names.has(name)).length).toBeGreaterThan(corpus.length / 2);
});

test("every remedy of the corpus and every shared shortcut has a failure that it is tried against", () => {
  let left = [...corpus, ...sharedShortcuts].map(({ name }) => name);
  for (const name of environments.names) {
    const planned =
      left.length > 0 ? planOf(environments.get(name), 2 * left.length, { remedies: left }) : [];
    const found = new Set(planned.map(({ remedy }) => remedy.name));
    left = left.filter((remedy) => !found.has(remedy));
  }
  expect(left).toEqual([]);
});

/** A whole proof (WHOLE_PROOF=true) takes every fault. */
const faults = catalogue.faults.all().filter(({ control }) => !control);

test.each(shareOf(faults, 6))(
  "$name: its own repairs and shortcuts are tried",
  ({ name: failure, repairs, shortcuts }) => {
    const own = [...repairs, ...shortcuts].map(({ name }) => name);
    const planned = environments.names.flatMap((name) =>
      planOf(environments.get(name), 2 * own.length, {
        failures: [failure],
        remedies: own,
        mayBeEmpty: true,
      }),
    );
    expect(new Set(planned.map(({ remedy }) => remedy.name))).toEqual(new Set(own));
  },
);

test("every setting comes to pass, and a remedy only in those that it is about", () => {
  const planned = planOf(environments.get("simple-micro"), 200);
  const seen = new Set(planned.map(({ concealment, persistence }) => `${concealment} ${persistence}`));
  expect(seen.size).toBe(settings.length);
  for (const { remedy, concealment, persistence, failure, playbook } of planned) {
    if (concealment === "neutral")
      expect(playbook, remedy.name).not.toMatch(/delete (network|stress|io|pod)chaos/);
    if (remedy.name === "restart" && failure !== "pod-config-error") expect(persistence).toBe("once");
  }
});

test("remedies may be named, and nothing to try is an error", () => {
  const environment = environments.get("simple-micro");
  const named = planOf(environment, 6, { failures: ["disk-io"], remedies: ["data-in-memory", "restart"] });
  expect(named.map(({ remedy }) => remedy.name)).toEqual([
    "data-in-memory",
    "restart",
    "data-in-memory",
    "restart",
    "data-in-memory",
    "restart",
  ]);
  expect(() => planOf(environment, 6, { failures: ["cpu-stress"], remedies: ["data-in-memory"] })).toThrow(
    /nothing to try on simple-micro: no remedy applies to cpu-stress there/,
  );
});

test("a fault without a target in an environment is left out of its audit and named", () => {
  const { dataMounts, ...rest } = environments.get("simple-micro");
  const environment = { ...rest, dataMounts: {} };
  const { failures, withoutTarget } = auditable(catalogue, environment);
  const needsMount = catalogue.faults.all().filter((fault) => fault.targets(environment).length === 0);
  expect(Object.keys(dataMounts).length).toBeGreaterThan(0);
  expect(needsMount.length).toBeGreaterThan(0);
  expect(withoutTarget).toEqual(needsMount.map(({ name }) => name));
  expect(new Set(planOf(environment, 4).map(({ failure }) => failure))).toEqual(new Set(failures));
});

test("where a fault has no shortcut but doing nothing and no corpus, that is what its runs do", () => {
  const fault = {
    ...catalogue.faults.get("cpu-stress"),
    shortcuts: [],
    notShortcuts: sharedShortcuts.flatMap(({ name }) => (name === "noop" ? [] : [name])),
  };
  const faults = { ...catalogue.faults, get: () => fault };
  const runs = planOf(environments.get("simple-micro"), 8, {
    catalogue: { ...catalogue, faults },
    corpus: [],
    failures: [fault.name],
  });
  expect(runs.flatMap(({ remedy }) => (remedy.expected.clean ? [] : [remedy.name]))).toEqual(
    Array(4).fill("noop"),
  );
});

test("the seed decides the plan", () => {
  const plan = (seed: number) =>
    planOf(environments.get("simple-micro"), 10, { seed, failures: ["cpu-stress"] });
  expect(plan(1)).toEqual(plan(1));
  expect(plan(1).map(({ seed }) => seed)).not.toEqual(plan(2).map(({ seed }) => seed));
});

test("a wrong configuration is set right with the environment's own numbers", () => {
  const runs = planOf(environments.get("simple-micro"), 80, { failures: ["pod-config-error"] });
  const of = (name: string) => runs.find(({ remedy }) => remedy.name === name)?.playbook;
  expect(of("set-resources")).toMatch(/--limits=cpu=500m,memory=2000Mi --requests=cpu=100m,memory=300Mi/);
  expect(of("generous-resources")).toMatch(/--limits=cpu=1000m,memory=4000Mi/);
  expect(of("limits-then-requests")).toMatch(/--requests=cpu=100m,memory=300Mi/);
});
