import { readFileSync } from "node:fs";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

type Case = readonly [failure: string, target: string, outcome: string];

/** Of each environment and model: the episodes of level easy with seed 1 and method SoloGen, as release 0.1.0 ran them. */
const published: Readonly<Record<string, Readonly<Record<string, readonly Case[]>>>> = JSON.parse(
  readFileSync(new URL("./testdata/easy-1-seed-1-of-0.1.0.json", import.meta.url), "utf8"),
);

test.each(Object.keys(published))(
  "easy@1 on %s: the cases, targets and outcomes of 0.1.0",
  async (environment) => {
    await using range = await startInProcessRange({
      catalogue: await builtInCatalogue(),
      environments: [environment],
      clusters: 2,
    });
    const expected = published[environment] ?? {};
    const models = Object.keys(expected);
    const request = {
      id: "easy",
      environment,
      model: models,
      method: "SoloGen",
      failures: "easy@1",
      seed: 1,
    };
    expect(await range.client.submit(request)).toMatchObject({ status: "accepted" });
    for await (const event of range.client.events("easy", AbortSignal.timeout(3_600_000))) {
      if (event.type === "experiment-finished") break;
    }
    const { episodes } = await range.client.experiment("easy");
    const found = models.map((model) => [
      model,
      episodes
        .filter((episode) => episode.model === model)
        .map(({ failure, target, outcome }) => [failure, target, outcome]),
    ]);
    expect(Object.fromEntries(found)).toEqual(expected);
  },
  3_600_000,
);
