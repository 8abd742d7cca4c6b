import { type EpisodeRecord, ExperimentRequest, plannedRecord } from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import { turnsOf } from "./turns.ts";

type Deps = Parameters<typeof turnsOf>[0];

const model = "session/tester@1";

function stateOf(change: Partial<EpisodeRecord>): Deps {
  const request = ExperimentRequest.parse({ environment: "shop", model });
  const record = { request, status: "running", episodes: 1 };
  const episode = { ...plannedRecord("exp", { ...aPlannedEpisode(), model }), ...change };
  const state = {
    experiments: { get: async () => ({ record, done: 0 }) },
    episodes: { active: async () => [episode.id], getMany: async () => [episode] },
  };
  return { state } as unknown as Deps;
}

test("a turn says how it ended, also where outcomes are withheld", async () => {
  const asked = { experimentId: "exp", model };
  const going = await turnsOf(stateOf({ state: "solving", attempt: 1 }), asked);
  expect(going).toMatchObject({ turns: [{ isOver: false }] });
  expect(JSON.stringify(going)).not.toContain('"end"');
  const cancelled = { state: "done", outcome: "cancelled", reason: "the experiment was cancelled" } as const;
  expect(await turnsOf(stateOf(cancelled), asked)).toMatchObject({
    turns: [{ isOver: true, outcome: null, end: { how: "over", reason: cancelled.reason } }],
  });
});
