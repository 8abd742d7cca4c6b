import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareArena } from "@microremed/arena";
import { type Catalogue, loadCatalogue } from "@microremed/registry";
import { aToolUser } from "@microremed/stack/in-process/testing";
import { expect, test } from "vitest";
import { catalogue } from "../testing/entries.ts";
import { accuracyOf, learnedRule, type WrittenProblem } from "./learned-rule.ts";
import type { ShownLeaf } from "./shown-leaves.ts";
import { leavesOfProblem } from "./testing/written-problem.ts";

const leaf = (name: string, is: unknown): ShownLeaf => ({
  ...{ leaf: `Deployment spec.${name}`, form: "other" },
  ...{ was: undefined, is },
});
const made = (of: (i: number, isFaulty: boolean) => ShownLeaf): WrittenProblem[] =>
  Array.from({ length: 200 }, (_, i) => {
    const isFaulty = i % 2 === 0;
    return { isFaulty, leaves: [leaf("strategy", "Recreate"), of(i, isFaulty)] };
  });
const accuracyIn = (problems: readonly WrittenProblem[]): number =>
  accuracyOf(learnedRule(problems.slice(100)), problems.slice(0, 100)).mean;

test("a leaf, a word or a size of faults alone says all, and what both have says nothing", () => {
  expect(accuracyIn(made((_, isFaulty) => leaf(isFaulty ? "paused" : "replicas", 1)))).toBe(1);
  expect(accuracyIn(made((i, isFaulty) => leaf("name", isFaulty ? `old-${i}` : `new-${i}`)))).toBe(1);
  expect(accuracyIn(made((_, isFaulty) => leaf("memory", isFaulty ? "8Mi" : "800Mi")))).toBe(1);
  expect(accuracyIn(made((i) => leaf("replicas", i % 3)))).toBeLessThan(0.65);
});

/** By chance 0.5; the least of the interval of what was measured may be this. */
const mostAccurate = 0.55;
const system = "online-boutique";
const copies = 3;
const seed = 1;
const isWhole = process.env["WHOLE_PROOF"] === "true";
const drawn = catalogue.suites.all().filter(({ values, pools }) => values === "drawn" && pools.length > 0);

/**
 * An agent that knows the catalogue draws as many problems from a suite's pools as it likes, under names of its own, and learns
 * from them. What it has learned is asked of the suite itself.
 */
test.runIf(isWhole).each(drawn)(
  "$name: who has learned what change logs show of faults and of harmless changes does not know by a log whether something is wrong",
  async ({ name, pools, defaults }) => {
    const dir = mkdtempSync(join(tmpdir(), "learned-"));
    const learned = Array.from({ length: copies }, (_, i) => `learn-${i}@1`);
    try {
      for (const copy of learned) {
        mkdirSync(join(dir, "suites", copy), { recursive: true });
        const text = JSON.stringify({ name: copy, description: "a copy", defaults, pools });
        writeFileSync(join(dir, "suites", copy, "suite.yaml"), text);
      }
      const all = await loadCatalogue({ dirs: [dir] });
      const known: WrittenProblem[] = [];
      await using user = await aToolUser(all, all.environments.get(system));
      await prepareArena(user.arena, { redeploy: false, timeoutSeconds: 1800 });
      for (const copy of learned) known.push(...(await problemsOf(user, all, copy)));
      const asked = await problemsOf(user, all, name);
      const { mean, least } = accuracyOf(learnedRule(known), asked);
      expect(least, `balanced accuracy ${mean.toFixed(2)} in ${asked.length} problems`).toBeLessThan(
        mostAccurate,
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
  3_600_000,
);

type User = Awaited<ReturnType<typeof aToolUser>>;

async function problemsOf(user: User, all: Catalogue, suite: string): Promise<WrittenProblem[]> {
  const written: WrittenProblem[] = [];
  for (const one of all.problems.of(suite)) {
    const problem = all.problems.at(one, seed);
    if (problem.environment !== system || problem.tasks.includes("monitoring")) continue;
    const leaves = await leavesOfProblem(user, problem, all, seed);
    written.push({ isFaulty: problem.incident.length > 0, leaves });
  }
  return written;
}
