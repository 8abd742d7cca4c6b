import { planAudit, runAudit, tallyTotals } from "@microremed/audit";
import { silentLogger } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { startStack } from "@microremed/stack";
import { expect, test } from "vitest";
import { connectClient } from "./client.ts";
import { episodesOver } from "./commands/audit.ts";
import { connectionTo } from "./local-stack.ts";

test("on live arenas the strict judge takes no shortcut for a repair and no repair for a shortcut", async () => {
  const catalogue = await builtInCatalogue();
  const environment = catalogue.environments.get("simple-micro");
  const clusters = { environments: [environment.name], count: 4, timeScale: 100, seed: 1 };
  await using stack = await startStack({ clusters, log: silentLogger });
  await using client = await connectClient(connectionTo(stack), silentLogger);
  const { signal } = new AbortController();
  const failures = ["pod-config-error"];
  const settings = [{ concealment: "none", persistence: "once" }] as const;
  const planned = planAudit({ catalogue, corpus: [], environment, failures, runs: 12, seed: 1, settings });
  const { judged, unjudged } = await runAudit(episodesOver(client, signal), planned, {
    parallel: 4,
    soakSeconds: 0,
    signal,
    progress: () => {},
  });
  expect(unjudged).toEqual([]);
  const { falsePositives, falseNegatives } = tallyTotals(judged);
  expect(falsePositives.strict).toMatchObject({ wrong: 0, of: 6 });
  expect(falseNegatives.strict).toMatchObject({ wrong: 0, of: 6 });
  // The measure sees what there is to see: a removed limit passes the published rules.
  const dropped = judged.find(({ run }) => run.remedy.name === "drop-limits");
  expect(dropped).toMatchObject({ strict: false, microremed: true });
});
