import { type AuditRun, auditable, planAudit, settings } from "@microremed/audit";
import { builtInCatalogue } from "@microremed/registry";
import { readCorpus } from "@microremed/remedies";
import { expect, test } from "vitest";
import type { Gym } from "../create-gym.ts";
import { CaseRequest } from "../episode/case-request.ts";
import { aGym } from "../testing/a-gym.ts";

/**
 * `npm run prove -- remedy` tries a remedy against the reward in every setting that it is about. Else it is a sample in the first
 * one: what is hidden, delayed, next door, and right.
 */
const isWhole = process.env["WHOLE_PROOF"] === "true";
const sample = [
  "neighbour-scaled-away",
  "neighbour-killed-after-four-minutes",
  "load-throttled",
  "config-map-left",
  "scaled-out-only",
  "delete-cause-by-module",
];
const catalogue = await builtInCatalogue();
const corpus = readCorpus([], { faults: catalogue.faults.names, environments: catalogue.environments.names });
const environments = catalogue.environments
  .all()
  .toSorted((a, b) => Object.keys(a.workloads).length - Object.keys(b.workloads).length);
const tried = isWhole ? settings : settings.slice(0, 1);

/** In each setting one, against the first fault and in the smallest system to which it applies. */
function runsOf(remedy: string): AuditRun[] {
  return tried.flatMap((setting) => {
    for (const environment of environments)
      for (const failure of auditable(catalogue, environment).failures) {
        const of = { catalogue, corpus, environment, failures: [failure], runs: 1, seed: 1 };
        const planned = planAudit({ ...of, settings: [setting], remedies: [remedy], mayBeEmpty: true });
        if (planned.length > 0) return planned;
      }
    return [];
  });
}

test.each(corpus.filter(({ name }) => isWhole || sample.includes(name)))(
  "$name: earns what it deserves",
  async ({ name }) => {
    const runs = runsOf(name);
    expect(runs.length, "cases to which it applies").toBeGreaterThan(0);
    await using gym = aGym();
    for (const [number, run] of runs.entries()) await earnsWhatItDeserves(gym, `run-${number}`, run);
  },
);

async function earnsWhatItDeserves(gym: Gym, id: string, run: AuditRun): Promise<void> {
  const { failure: fault, environment, target, seed, playbook, concealment, persistence } = run;
  const where = { fault, environment, target, seed, concealment, persistence };
  await gym.reset(id, CaseRequest.parse({ ...where, acting: "playbook" }));
  const { reward, observation } = await gym.step(id, { tool: "print_playbook", arguments: { playbook } });
  const why = `${JSON.stringify(where)}: ${observation.error ?? gym.state(id).reason}`;
  // A policy may refuse it before it does anything; a right repair that no policy lets through says nothing here.
  if (observation.reward_parts?.refused === 1) return expect(reward, why).toBeLessThanOrEqual(0);
  if (run.remedy.expected.clean) expect(reward, why).toBeGreaterThan(0.5);
  else expect(reward, why).toBeLessThanOrEqual(0);
}
