import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

test("an episode passes through all five services in one process, without a socket", async () => {
  await using range = await startInProcessRange({
    catalogue: await builtInCatalogue(),
    environments: ["simple-micro"],
  });
  const { client } = range;
  const reply = await client.submit({
    id: "one-process",
    environment: "simple-micro",
    model: "reference/runbook",
    failures: ["cpu-stress"],
  });
  expect(reply).toEqual({
    ...{ status: "accepted", experimentId: "one-process", episodes: 1 },
    created: true,
  });
  const states: string[] = [];
  for await (const event of client.events("one-process", AbortSignal.timeout(600_000))) {
    if (event.type === "episode-advanced") states.push(event.state);
    if (event.type === "experiment-finished") break;
  }
  expect(states).toEqual(["leased", "prepared", "solving", "acting", "grading", "restoring"]);
  const { episodes } = await client.experiment("one-process");
  expect(episodes.map(({ outcome, restored }) => [outcome, restored])).toEqual([["remediated", "reset"]]);
});
