import {
  drawnParameters,
  type Environment,
  type Fault,
  isHidden,
  keepsData,
  serviceOf,
  targetText,
  z,
} from "@microremed/catalogue";
import { aGradeContext } from "@microremed/catalogue/testing";
import { createRng } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";

const catalogue = await builtInCatalogue();
const environments = catalogue.environments.all();
const seeds = Array.from({ length: 30 }, (_, i) => i + 1);

/** The truth of a fault as a problem with this seed has it; without one: with the fault's own values. */
function truthAt(fault: Fault, environment: Environment, target: string, seed?: number) {
  const where = { environment, target };
  const parameters =
    seed === undefined ? undefined : drawnParameters(fault, where, undefined, createRng(seed, "problem"));
  return { parameters, truth: fault.truth({ ...where, ...(parameters && { parameters }) }) };
}

/** What tools show of it, value by value. */
const shownOf = (truth: ReturnType<Fault["truth"]>) =>
  truth.objects.filter((one) => !isHidden(one) && one.field !== "");

const first = (fault: Fault) =>
  environments.flatMap((environment) =>
    fault
      .targets(environment)
      .slice(0, 1)
      .map((ref) => ({ environment, target: targetText(ref) })),
  )[0];

const faults = catalogue.faults.all().filter(({ control }) => !control);

test.each(faults)("$name: two problems have other values, or it says why not", (fault) => {
  const place = first(fault);
  if (!place) throw new Error(`${fault.name} has no target`);
  const { environment, target } = place;
  const own = truthAt(fault, environment, target).truth;
  if (!fault.drawn) {
    if (shownOf(own).length > 0)
      expect(fault.withoutDraw, "drawn, or withoutDraw says why not").toBeDefined();
    return;
  }
  const all = seeds.map((seed) => truthAt(fault, environment, target, seed));
  for (const { parameters } of all) expect(fault.parameters.safeParse(parameters).error).toBeUndefined();
  expect(truthAt(fault, environment, target, 1)).toEqual(all[0]);
  const different = new Set(all.map(({ parameters }) => JSON.stringify(parameters)));
  if (!fault.withoutDraw) expect(different.size).toBeGreaterThan(3);
});

test("values are drawn that fit every target", () => {
  for (const fault of faults)
    for (const environment of environments)
      for (const target of fault.targets(environment).map(targetText)) {
        const { parameters, truth } = truthAt(fault, environment, target, 1);
        const place = `${fault.name} on ${target} of ${environment.name}: ${JSON.stringify(parameters)}`;
        expect(fault.parameters.safeParse(parameters ?? {}).error, place).toBeUndefined();
        for (const { wrong, right } of truth.objects) expect(wrong, place).not.toBe(right);
      }
});

/** Names, numbers and other words of a value. */
const wordsOf = (value: string): string[] => value.match(/[\w./%-]+/g) ?? [];

/** What the catalogue's faults do to an environment with their own values, and the words by which each is known. */
function signaturesOf(environment: Environment) {
  const usual = JSON.stringify(environment.manifests);
  return faults.flatMap((fault) =>
    fault.targets(environment).flatMap((ref) => {
      const truth = fault.truth({ environment, target: targetText(ref) });
      return shownOf(truth).flatMap(({ kind, name, field, wrong, right }) => {
        const words = wordsOf(wrong).filter((word) => !usual.includes(word));
        const cause = {
          ...{ object: { kind, name }, field, wrong, right, mechanism: truth.mechanism },
          ...{ system_level: truth.systemLevel, fault_type: truth.faultType },
        };
        return words.length === 0 ? [] : [{ cause, words: [name, ...words] }];
      });
    }),
  );
}
const signatures = new Map(environments.map((one) => [one.name, signaturesOf(one)]));

/** An agent that searches all that tools print for the values that faults have in the catalogue. */
function foundByLiterals(environment: string, shown: string) {
  const there = new Set(wordsOf(shown));
  return signatures.get(environment)?.find(({ words }) => words.every((word) => there.has(word)))?.cause;
}

const drawnSuites = catalogue.suites
  .all()
  .filter(({ values, pools }) => values === "drawn" && pools.length > 0);

test.each(drawnSuites)(
  "$name: no analysis is solved by the values that faults have in the catalogue",
  async ({ name }) => {
    const analysis = catalogue.tasks.get("analysis");
    const solved: string[] = [];
    let asked = 0;
    for (const seed of [1, 2, 3])
      for (const problem of catalogue.problems.of(name)) {
        const [only, ...others] = catalogue.problems.at(problem, seed).incident;
        const fault = only && catalogue.faults.get(only.fault);
        if (!only || !fault?.drawn || fault.withoutDraw || others.length > 0) continue;
        const environment = catalogue.environments.get(problem.environment);
        const { target, parameters } = only;
        const truth = fault.truth({ environment, target, ...(parameters && { parameters }) });
        const shown = truth.objects.flatMap((one) => [one.name, one.wrong]).join("\n");
        const cause = foundByLiterals(environment.name, shown);
        const where = { environment, namespace: environment.namespace };
        const grade = await analysis.grade({
          ...aGradeContext([truth], { causes: cause ? [cause] : [] }),
          ...where,
        });
        asked++;
        if (grade.passed) solved.push(`${fault.name}: ${cause?.wrong} in ${problem.id}`);
      }
    expect(asked).toBeGreaterThan(100);
    expect(solved.length / asked, solved.join("\n")).toBeLessThan(0.02);
  },
);

/** What a value of other problems has in all of them: what is left without that which is drawn. */
function shapeOf(values: readonly string[]): string {
  const [words = [], ...others] = values.map(wordsOf);
  return words.filter((word) => others.every((other) => other.includes(word))).join(" ");
}

test("no analysis is solved by what the values of a fault have in every problem", async () => {
  const analysis = catalogue.tasks.get("analysis");
  const solved: string[] = [];
  let asked = 0;
  for (const fault of faults) {
    const place = fault.drawn && !fault.withoutDraw ? first(fault) : undefined;
    if (!place) continue;
    const { environment, target } = place;
    const known = Array.from({ length: 12 }, (_, i) => truthAt(fault, environment, target, 100 + i).truth);
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { truth } = truthAt(fault, environment, target, seed);
      const [one] = truth.objects;
      if (!one || isHidden(one) || known.every(({ objects }) => objects[0]?.wrong === one.wrong)) continue;
      const { kind, name, field, right } = one;
      const cause = {
        ...{ object: { kind, name }, field, right, mechanism: truth.mechanism },
        wrong: shapeOf(known.map(({ objects }) => objects[0]?.wrong ?? "")),
        ...{ system_level: truth.systemLevel, fault_type: truth.faultType },
      };
      const where = { environment, namespace: environment.namespace };
      const grade = await analysis.grade({ ...aGradeContext([truth], { causes: [cause] }), ...where });
      asked++;
      if (grade.passed) solved.push(`${fault.name}: ${cause.wrong} for ${one.wrong}`);
    }
  }
  expect(asked).toBeGreaterThan(100);
  expect(solved.length / asked, solved.join("\n")).toBeLessThan(0.02);
});

/** A parameter that has a few values only, as the field has that it sets. */
const isChoice = (schema: unknown): boolean =>
  (schema instanceof z.ZodDefault ? schema.unwrap() : schema) instanceof z.ZodEnum;

test("what noises set is drawn, fits them, and is hardly ever the same for two seeds", () => {
  for (const noise of catalogue.noises.all()) {
    const { drawn = {} } = noise;
    for (const name of Object.keys(drawn)) expect(Object.keys(noise.parameters.shape)).toContain(name);
    const names = new Set<string>();
    for (const environment of environments)
      for (const target of Object.keys(environment.workloads))
        for (const seed of [1, 2, 3]) {
          const values = drawnParameters(noise, { environment, target }, undefined, createRng(seed, target));
          const read = noise.parameters.safeParse(values ?? {});
          expect(read.error?.message, `${noise.name}: ${JSON.stringify(values)}`).toBeUndefined();
          names.add(JSON.stringify(values));
        }
    const isOfFew = Object.keys(drawn).every((name) => isChoice(noise.parameters.shape[name]));
    if (Object.keys(drawn).length > 0) expect(names.size, noise.name).toBeGreaterThan(isOfFew ? 1 : 4);
  }
});

/** Workloads on which a change log of the problems shows a change, as a fault made it and as noises did. */
function changedWorkloads(suite: string, isCounted: (environment: string, workload: string) => boolean) {
  const counts = { fault: 0, noise: 0 };
  const only = new Set(["warning-event", "request-burst", "old-restart"]);
  for (const seed of [1, 2, 3])
    for (const said of catalogue.problems.of(suite)) {
      const { environment: name, incident, noise } = catalogue.problems.at(said, seed);
      const environment = catalogue.environments.get(name);
      const workloadOf = (kind: string, of: string): string | undefined =>
        kind === "Service"
          ? Object.keys(environment.workloads).find(
              (target) => serviceOf({ environment, target })?.name === of,
            )
          : of;
      const isThere = ({ kind, name: of }: { readonly kind: string; readonly name: string }): boolean => {
        const workload = workloadOf(kind, of);
        return environment.workloads[workload ?? ""] !== undefined && isCounted(name, workload ?? "");
      };
      for (const { fault, target, parameters } of incident) {
        const { cause, truth } = catalogue.faults.get(fault);
        const objects = cause
          ? []
          : truth({ environment, target, ...(parameters && { parameters }) }).objects;
        if (objects.some((one) => one.field !== "" && isThere(one))) counts.fault++;
      }
      for (const { noise: of, target = "", parameters } of noise) {
        const decoys = only.has(of)
          ? []
          : catalogue.noises.get(of).decoys({ environment, target, ...(parameters && { parameters }) });
        if (decoys.some(isThere)) counts.noise++;
      }
    }
  return counts.fault / (counts.fault + counts.noise);
}

test("range@3: a change of a workload that keeps data is hardly more often the fault than any other", () => {
  const isStore = (name: string, workload: string): boolean =>
    keepsData(catalogue.environments.get(name), workload);
  const ofStores = changedWorkloads("range@3", isStore);
  const ofOthers = changedWorkloads("range@3", (name, workload) => !isStore(name, workload));
  expect(ofOthers).toBeGreaterThan(0.1);
  expect(ofStores).toBeLessThan(ofOthers + 0.1);
});
