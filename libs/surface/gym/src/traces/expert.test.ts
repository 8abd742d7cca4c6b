import { evidenceBy, type Finding, shellCall } from "@microremed/catalogue";
import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import type { Action } from "../episode/action.ts";
import { type Course, type ExpertCase, expert, type Knowledge } from "./expert.ts";

const finding: Finding = {
  ...{ object: { kind: "Deployment", name: "till", namespace: "shop" }, workload: "till", seen: "cause" },
  ...{ field: "spec.replicas", wrong: "0", right: "2" },
  ...{ mechanism: "scaled-away", systemLevel: "Virtualization", faultType: "Misconfiguration" },
} as Finding;

/** It shows while the command prints its name. */
const fault = (name: string): Knowledge => ({
  ...{ name, title: `Trouble ${name}` },
  evidence: evidenceBy([shellCall(`look for ${name}`)], ([answer]) =>
    answer?.includes(`it is ${name}`) ? [finding] : [],
  ),
  runbook: {
    observe: () => `observe ${name}`,
    act: ({ target }) => ({ title: `Repair ${target}`, commands: [`kubectl repair ${target}`] }),
  },
});

const given: ExpertCase = {
  ...{ fault: fault("a"), others: [fault("b"), fault("c")], namespace: "shop", named: "till" },
  ...{ acting: "commands", answer: null },
};

/** Lets an expert work; `answer` is what a command of the shell prints. */
function played(seed: number, of: Partial<ExpertCase>, answer: (command: string) => string) {
  const actions: Action[] = [];
  const steps = expert({ ...given, ...of }, createRng(seed));
  let next = steps.next();
  for (let count = 0; !next.done; count++) {
    if (count > 150) throw new Error("the expert does not end");
    const action = next.value;
    actions.push(action);
    const args = "arguments" in action ? action.arguments : {};
    // A playbook that repairs nothing is followed by another attempt.
    const done = /"submit"|"print_playbook".*kubectl repair/s.test(JSON.stringify(action));
    next = steps.next({ text: answer(String(args["command"] ?? "")), done });
  }
  return { actions, course: next.value as Course, text: JSON.stringify(actions) };
}

const seeds = Array.from({ length: 60 }, (_, seed) => seed);
const shown = (command: string): string => (command === "look for a" ? "it is a" : "nothing");

test("every way finds the cause, repairs what the answers name, and hands in once", () => {
  for (const acting of ["commands", "playbook"] as const)
    for (const seed of seeds) {
      const { actions, course, text } = played(seed, { acting }, shown);
      expect(course).toMatchObject({ found: true, misled: false });
      expect(text).toContain("kubectl repair till");
      const last = actions.at(-1);
      expect(last).toMatchObject({ tool: acting === "commands" ? "submit" : "print_playbook" });
      // A playbook does not come with a shell that acts.
      if (acting === "playbook") expect(text).not.toContain('"exec_shell"');
    }
});

const causes = {
  type: "object",
  properties: {
    objects: {
      type: "array",
      items: { type: "object", properties: { kind: { type: "string" }, name: { type: "string" } } },
    },
  },
};

test("a question is answered by what was found, and nothing is changed for it", () => {
  for (const seed of seeds) {
    const { actions, course, text } = played(seed, { answer: causes }, shown);
    expect(course).toMatchObject({ found: true, repairs: 0, guesses: 0 });
    expect(actions.at(-1)).toMatchObject({
      ...{ tool: "submit", arguments: { objects: [{ kind: "Deployment", name: "till" }] } },
    });
    expect(text).not.toMatch(/kubectl repair|rollout restart/);
    expect(played(seed, { answer: causes }, () => "nothing").text).not.toContain("submit");
  }
});

test("where nothing is wrong several hypotheses are dropped, and nothing is named or changed", () => {
  for (const [answer, given] of [
    [causes, { objects: [] }],
    [null, {}],
  ] as const)
    for (const seed of seeds) {
      const { actions, course, text } = played(seed, { answer, fault: null }, shown);
      expect(course).toMatchObject({ found: true, misled: false, repairs: 0, guesses: 0 });
      expect(course.dropped).toBeGreaterThan(1);
      expect(actions.at(-1)).toMatchObject({ tool: "submit", arguments: given });
      expect(text).not.toContain("rollout restart");
    }
  // Who sees a cause all the same is wrong somewhere: it is no example.
  const misled = played(1, { fault: null }, (command) => command.replace("look for", "it is"));
  expect(misled.course.misled).toBe(true);
});

test("ways differ in their words, their wrong turns and their length", () => {
  const all = seeds.map((seed) => played(seed, {}, shown));
  expect(new Set(all.map(({ text }) => text)).size).toBe(seeds.length);
  const count = (of: (course: Course) => boolean): number => all.filter(({ course }) => of(course)).length;
  for (const of of ["dropped", "slips", "guesses"] as const) {
    const some = count((course) => course[of] > 0);
    expect(some).toBeGreaterThan(5);
    expect(some).toBeLessThan(55);
  }
  expect(new Set(all.map(({ actions }) => actions.length)).size).toBeGreaterThan(6);
  expect(played(3, {}, shown).text).toBe(played(3, {}, shown).text);
});

test("who sees no cause repairs nothing, and who sees another one says so", () => {
  for (const seed of seeds) {
    const { course, text } = played(seed, {}, () => "nothing");
    expect(course).toMatchObject({ found: false, repairs: 0 });
    expect(text).not.toContain("kubectl repair");
  }
  const misled = seeds.map((seed) => played(seed, {}, (command) => command.replace("look for", "it is")));
  for (const { course } of misled) expect(course.misled).toBe(course.dropped > 0);
});

test("what was answered is not asked again, unless something has changed since", () => {
  for (const seed of seeds) {
    const { actions } = played(seed, { named: null }, shown);
    const until = actions.findIndex((action) => JSON.stringify(action).includes("kubectl repair"));
    const calls = actions.slice(0, until).map((action) => JSON.stringify({ ...action, text: "" }));
    expect(new Set(calls).size).toBe(calls.length);
  }
});
