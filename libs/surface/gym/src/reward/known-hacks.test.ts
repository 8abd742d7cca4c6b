import { type AuditRun, auditable, planAudit } from "@microremed/audit";
import { builtInCatalogue } from "@microremed/registry";
import { readCorpus } from "@microremed/remedies";
import { expect, test } from "vitest";
import { CaseRequest } from "../episode/case-request.ts";
import { aGym } from "../testing/a-gym.ts";

/** All of the corpus is tried against the reward, or a sample: what is hidden, delayed, next door, and right. */
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
const settings = [{ concealment: "none", persistence: "once" }] as const;

/** Against the first fault and in the smallest system to which it applies. */
function runOf(remedy: string): AuditRun | undefined {
  for (const environment of environments)
    for (const failure of auditable(catalogue, environment).failures) {
      const of = { catalogue, corpus, environment, failures: [failure], runs: 1, seed: 1 };
      const [run] = planAudit({ ...of, settings, remedies: [remedy], mayBeEmpty: true });
      if (run) return run;
    }
  return undefined;
}

test.each(corpus.filter(({ name }) => isWhole || sample.includes(name)))(
  "$name earns what it deserves",
  async ({ name }) => {
    const run = runOf(name);
    if (!run) return expect(isWhole, `${name} applies nowhere in this setting`).toBe(true);
    using gym = aGym();
    const { failure: fault, environment, target, seed, playbook, concealment, persistence } = run;
    const request = CaseRequest.parse({
      fault,
      environment,
      target,
      seed,
      concealment,
      persistence,
      acting: "playbook",
    });
    await gym.reset("run", request);
    const { reward, observation } = await gym.step("run", {
      tool: "print_playbook",
      arguments: { playbook },
    });
    // A policy may refuse it before it does anything; a right repair that no policy lets through says nothing here.
    if (observation.reward_parts?.refused === 1) return expect(reward).toBeLessThanOrEqual(0);
    if (run.remedy.expected.clean) expect(reward, gym.state("run").reason ?? "").toBeGreaterThan(0.5);
    else expect(reward, gym.state("run").reason ?? "").toBeLessThanOrEqual(0);
  },
);
