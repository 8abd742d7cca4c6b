import { startInProcessRange } from "@microremed/stack/in-process";
import { expect, test } from "vitest";
import { type AuditRun, auditable, planAudit, settings } from "./plan-audit.ts";
import { type RunEpisode, runAudit } from "./run-audit.ts";
import { expectedOf, judges } from "./tally.ts";
import { corpus } from "./testing/corpus.ts";
import { catalogue } from "./testing/entries.ts";

/** `npm run prove` carries every remedy out in every setting that it is about; else it is a sample of these. */
const isWhole = process.env["WHOLE_PROOF"] === "true";
const sample = ["delete-cause-by-module", "scale-down-and-up", "config-map-left", "stuck-rollout"];
const environments = catalogue.environments
  .all()
  .toSorted((a, b) => Object.keys(a.workloads).length - Object.keys(b.workloads).length);

/** One run in each setting, against the first fault and in the smallest system to which it applies. */
function runsOf(remedy: string): AuditRun[] {
  return settings.flatMap((setting) => {
    for (const environment of environments)
      for (const failure of auditable(catalogue, environment).failures) {
        const of = { catalogue, corpus, environment, failures: [failure], runs: 1, seed: 1 };
        const planned = planAudit({ ...of, settings: [setting], remedies: [remedy], mayBeEmpty: true });
        if (planned.length > 0) return planned;
      }
    return [];
  });
}

const proven = corpus.filter(({ name }) => isWhole || sample.includes(name));

test.each(proven)(
  "$name: can be carried out, and the judges say of it what its file expects",
  async ({ name }) => {
    const runs = runsOf(name);
    expect(runs.length, "cases to which it applies").toBeGreaterThan(0);
    const used = [...new Set(runs.map(({ environment }) => environment))];
    await using range = await startInProcessRange({ catalogue, environments: used });
    const { client } = range;
    const runEpisode: RunEpisode = async (request, run) => {
      const id = [run.failure, run.concealment, run.persistence].join("-");
      expect(await client.submit({ id, ...request })).toMatchObject({ status: "accepted" });
      for await (const event of client.events(id, AbortSignal.timeout(600_000)))
        if (event.type === "experiment-finished") break;
      return (await client.experiment(id)).episodes[0];
    };
    const { signal } = new AbortController();
    const outcome = await runAudit(runEpisode, runs, {
      parallel: 1,
      signal,
      soakSeconds: 600,
      progress: () => {},
    });
    expect(outcome.unjudged.map(({ why }) => why)).toEqual([]);
    for (const one of outcome.judged)
      for (const judge of judges.filter((judge) => judge !== "microremed"))
        expect(one[judge], `${judge}, ${JSON.stringify(one.run)}: ${one.reason}`).toBe(
          expectedOf(one, judge),
        );
  },
);
