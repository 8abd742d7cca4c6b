import {
  type Environment,
  type Fault,
  type GroundTruth,
  targetText,
  wrongObjects,
} from "@microremed/catalogue";
import { aGradeContext } from "@microremed/catalogue/testing";
import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";
import { type KnownAnswers, knownAnswers } from "./testing/task-answers.ts";

/** An incident of each fault on each of its targets in each environment. */
interface Incident {
  readonly fault: Fault;
  readonly environment: Environment;
  readonly target: string;
  readonly truths: readonly GroundTruth[];
}

const incidents: readonly Incident[] = catalogue.environments.all().flatMap((environment) =>
  catalogue.faults.all().flatMap((fault) =>
    fault.targets(environment).map((ref) => {
      const target = targetText(ref);
      const truths = fault.control ? [] : [fault.truth({ environment, target })];
      return { fault, environment, target, truths };
    }),
  ),
);
const healthy = incidents.filter(({ truths }) => truths.length === 0);
const broken = incidents.filter(({ truths }) => truths.length > 0);

const asked = catalogue.tasks.all().filter(({ answer }) => answer !== null);

test("there are answers to be tried for each task that takes one", () => {
  expect(asked.map(({ name }) => name).filter((name) => !(name in knownAnswers))).toEqual([]);
  expect(healthy.length).toBeGreaterThan(0);
  expect(broken.length).toBeGreaterThan(0);
});

const grade = (task: string, { truths, environment }: Incident, answer: unknown) =>
  catalogue.tasks.get(task).grade({
    ...aGradeContext(truths, answer),
    environment,
    namespace: environment.namespace,
  });
const gradeAll = (task: string, all: readonly Incident[], answer: (incident: Incident) => unknown) =>
  Promise.all(all.map((incident) => grade(task, incident, answer(incident))));

test.each(Object.entries(knownAnswers))(
  "%s: who knows the truth is right in every part of every incident",
  async (task, { oracle }: KnownAnswers) => {
    for (const incident of incidents) {
      const given = await grade(task, incident, oracle(incident.truths));
      const where = `${incident.fault.name} on ${incident.target} of ${incident.environment.name}: ${given.reason}`;
      expect(given, where).toMatchObject({ passed: true, score: 1 });
      expect(
        Object.values(given.parts).every((part) => part === 1),
        where,
      ).toBe(true);
    }
  },
);

test.each(Object.entries(knownAnswers))(
  "%s: always no is right of healthy systems alone, always yes of broken ones at most, an empty answer of none",
  async (task, { no, yes, empty }: KnownAnswers) => {
    for (const given of await gradeAll(task, healthy, () => no)) expect(given).toMatchObject({ score: 1 });
    for (const given of await gradeAll(task, broken, () => no)) {
      expect(given).toMatchObject({ passed: false, score: 0 });
      expect(Object.values(given.parts).every((part) => part === 0)).toBe(true);
    }
    const alarm = ({ environment }: Incident) => yes(environment);
    for (const given of await gradeAll(task, healthy, alarm)) expect(given).toMatchObject({ score: 0 });
    for (const given of await gradeAll(task, incidents, () => empty))
      expect(given).toMatchObject({ passed: false, score: 0 });
  },
);

test("detection: always yes is right of every broken system, a coin of half of all", async () => {
  const yes = await gradeAll("detection", broken, () => ({ anomaly: true }));
  expect(yes.every(({ passed }) => passed)).toBe(true);
  const rng = createRng(1, "coin");
  const tossed = await gradeAll("detection", incidents, () => ({ anomaly: rng.int(2) === 1 }));
  const hits = tossed.filter(({ passed }) => passed).length;
  // Four standard deviations of a fair coin.
  expect(Math.abs(hits - tossed.length / 2)).toBeLessThan(4 * Math.sqrt(tossed.length / 4));
});

test("localization: naming everything scores little, one drawn workload is right as often as there are others", async () => {
  const rng = createRng(1, "drawn workload");
  for (const environment of catalogue.environments.all()) {
    const here = broken.filter((incident) => incident.environment === environment);
    const all = knownAnswers["localization"]?.yes(environment) as { objects: readonly object[] };
    const named = all.objects.length;
    for (const [i, { score }] of (await gradeAll("localization", here, () => all)).entries()) {
      const wrong = rightOf(here[i]).length;
      expect(score).toBeLessThanOrEqual((2 * wrong) / (named + wrong) + 1e-9);
    }

    const names = Object.entries(environment.workloads);
    const drawn = await gradeAll("localization", here, () => {
      const [name, { kind }] = rng.pick(names);
      return { objects: [{ kind, name }] };
    });
    const hits = drawn.filter(({ passed }) => passed).length;
    const chance = 1 / names.length;
    const possible = here.filter((incident) => isOneWorkload(incident, environment)).length;
    expect(Math.abs(hits - chance * possible)).toBeLessThan(4 * Math.sqrt(chance * (1 - chance) * possible));
  }
});

const rightOf = (incident: Incident | undefined) => (incident?.truths ?? []).flatMap(wrongObjects);

/** The right answer is one workload: Services, nodes and the like are not drawn here. */
function isOneWorkload(incident: Incident, { workloads }: Environment): boolean {
  const [only, ...others] = rightOf(incident);
  return only !== undefined && others.length === 0 && workloads[only.name]?.kind === only.kind;
}
