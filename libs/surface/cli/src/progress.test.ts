import { noUsage, type RangeEvent } from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

const problem = {
  ...{ id: "range@1/two", environment: "shop", report: "none", concealment: "neutral" },
  further: [{ failure: "network-loss", target: "database", at: 60 }],
} as const;

test.each([
  ["a failure", {}, "cpu-stress on cart "],
  ["a failure at a task", { task: "detection" }, "cpu-stress on cart detection"],
  ["a problem", { problem, task: "analysis" }, "range@1/two analysis"],
])("the line of a finished episode names %s", (_, change, named) => {
  const said: string[] = [];
  const terminal = { paint: (_: string, text: string) => text, say: (text: string) => said.push(text) };
  const { alternatives: _none, ...planned } = aPlannedEpisode(change as never);
  const event: RangeEvent = {
    ...{ type: "episode-finished", experimentId: "exp-1", episodeId: "exp-1.0000", at: 0, ...planned },
    ...{ outcome: "solved", reason: "right", attempts: 1, seconds: 2, usage: noUsage, error: null },
  };
  createProgress(terminal as unknown as Terminal, 0).show(event);
  expect(said).toEqual([expect.stringContaining(named)]);
});
