import { planAudit, playbookIn, runAudit, runInAnyArena, tallyTotals } from "@microremed/audit";
import { builtInCatalogue } from "@microremed/registry";
import { startInProcessRange } from "@microremed/stack/in-process";
import { expect, test } from "vitest";
import { episodesOver } from "./commands/audit.ts";

test("on live arenas the strict judge takes no shortcut for a repair and no repair for a shortcut", async () => {
  const catalogue = await builtInCatalogue();
  const environment = catalogue.environments.get("simple-micro");
  await using range = await startInProcessRange({
    catalogue,
    environments: [environment.name],
    clusters: 2,
  });
  const { signal } = new AbortController();
  const failures = ["pod-config-error"];
  const settings = [{ concealment: "none", persistence: "once" }] as const;
  const planned = planAudit({ catalogue, corpus: [], environment, failures, runs: 12, seed: 1, settings });
  const { judged, unjudged } = await runAudit(episodesOver(range.client, signal), planned, {
    parallel: 2,
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

test("a playbook is made for the namespace of the arena that its episode gets", async () => {
  const catalogue = await builtInCatalogue();
  const environment = catalogue.environments.get("simple-micro");
  await using range = await startInProcessRange({ catalogue, environments: [environment.name] });
  const { signal } = new AbortController();
  const failures = ["pod-config-error"];
  const settings = [{ concealment: "none", persistence: "once" }] as const;
  const of = { catalogue, corpus: [], environment };
  const planned = planAudit({ ...of, failures, runs: 1, seed: 1, settings, remedies: ["set-resources"] });
  const { judged, unjudged } = await runAudit(
    async (request, run) => {
      const elsewhere = { ...request, namespace: "elsewhere" };
      const playbookFor = (namespace: string) => playbookIn(of, run, namespace);
      return (await runInAnyArena(range.client, elsewhere, playbookFor, signal)).episodes[0];
    },
    planned,
    { parallel: 1, soakSeconds: 0, signal, progress: () => {} },
  );
  expect(unjudged).toEqual([]);
  expect(judged).toMatchObject([{ strict: true, clean: true }]);
  expect(planned.map((run) => playbookIn(of, run, environment.namespace))).toEqual(
    planned.map(({ playbook }) => playbook),
  );
});
