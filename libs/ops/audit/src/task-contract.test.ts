import {
  type AuditedIncident,
  type Environment,
  type Fault,
  type KnownAnswer,
  type Task,
  targetText,
  wrongObjects,
} from "@microremed/catalogue";
import { aGradeContext, shareOf } from "@microremed/catalogue/testing";
import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

interface Incident extends AuditedIncident {
  readonly fault: Fault;
  readonly target: string;
}

/** Of each fault on each of its targets in each environment; a fifth of them without a whole proof (WHOLE_PROOF=true). */
const incidents: readonly Incident[] = shareOf(catalogue.environments.all().flatMap(incidentsOn), 5);

function incidentsOn(environment: Environment): Incident[] {
  return catalogue.faults.all().flatMap((fault) =>
    fault.targets(environment).map((ref) => {
      const target = targetText(ref);
      const truths = fault.control ? [] : [fault.truth({ environment, target })];
      return { fault, environment, target, truths };
    }),
  );
}
const healthy = incidents.filter(({ truths }) => truths.length === 0);
const broken = incidents.filter(({ truths }) => truths.length > 0);
const asked = catalogue.tasks.all().filter(({ answer }) => answer !== null);
const answers = asked.flatMap((task) =>
  (task.known ?? []).map((known) => ({ task, known, name: task.name, answer: known.name })),
);

const gradeAll = (task: Task, known: KnownAnswer, all: readonly Incident[]) => {
  const rng = createRng(1, known.name);
  return Promise.all(
    all.map((incident) => {
      const { truths, environment } = incident;
      const context = aGradeContext(truths, known.answer(incident, rng));
      return task.grade({ ...context, environment, namespace: environment.namespace });
    }),
  );
};

test("every task that takes an answer has answers for audits, those of an oracle and of who never observes", () => {
  for (const { name, known = [] } of asked)
    expect(
      known.map((one) => one.name),
      name,
    ).toEqual(expect.arrayContaining(["oracle", "always-no", "always-yes", "random", "empty"]));
  expect(healthy.length).toBeGreaterThan(0);
  expect(broken.length).toBeGreaterThan(0);
});

test.each(answers)("$name: $answer scores what arithmetic says", async ({ task, known }) => {
  const graded = await gradeAll(task, known, incidents);
  const chances = incidents.map((incident) => known.chance(incident));
  for (const [i, { fault, environment, target }] of incidents.entries()) {
    const where = `${fault.name} on ${target} of ${environment.name}: ${graded[i]?.reason}`;
    if (chances[i] === 1) expect(graded[i], where).toMatchObject({ passed: true, score: 1 });
    if (chances[i] === 0) expect(graded[i], where).toMatchObject({ passed: false });
  }
  const expected = chances.reduce((sum, chance) => sum + chance, 0);
  const variance = chances.reduce((sum, chance) => sum + chance * (1 - chance), 0);
  const passed = graded.filter((grade) => grade.passed).length;
  expect(Math.abs(passed - expected)).toBeLessThanOrEqual(4 * Math.sqrt(variance) + 1e-9);
});

test.each(answers.filter(({ answer }) => answer === "oracle"))(
  "$name: who knows the truth is right in every part",
  async ({ task, known }) => {
    for (const { parts, reason } of await gradeAll(task, known, incidents))
      expect(
        Object.values(parts).every((part) => part === 1),
        reason,
      ).toBe(true);
  },
);

test.each(answers.filter(({ answer }) => answer === "always-no" || answer === "empty"))(
  "$name: $answer has no score where something is wrong",
  async ({ task, known }) => {
    for (const { score } of await gradeAll(task, known, broken)) expect(score).toBe(0);
  },
);

test.each(answers.filter(({ answer }) => answer === "always-yes"))(
  "$name: who always raises an alarm has no score where nothing is wrong",
  async ({ task, known }) => {
    for (const { score } of await gradeAll(task, known, healthy)) expect(score).toBe(0);
  },
);

test("localization: naming everything scores little", async () => {
  const task = catalogue.tasks.get("localization");
  const known = task.known?.find(({ name }) => name === "always-yes");
  if (!known) throw new Error("there is no such answer");
  const graded = await gradeAll(task, known, broken);
  for (const [i, incident] of broken.entries()) {
    const named = (known.answer(incident, createRng(1)) as { objects: readonly object[] }).objects.length;
    const wrong = incident.truths.flatMap(wrongObjects).length;
    expect(graded[i]?.score).toBeLessThanOrEqual((2 * wrong) / (named + wrong) + 1e-9);
  }
});
