import { RangeEvent } from "@microremed/contracts";
import { expect, test } from "vitest";
import { messagesOf } from "./messages-of.ts";
import { anEpisode, aPlan } from "./testing/builders.ts";

test("the event of an end says which problem it was of", () => {
  const problem = { id: "range@1/two", environment: "shop", report: "none", concealment: "neutral" } as const;
  const before = anEpisode({ problem, task: "detection", state: "restoring" });
  const record = { ...before, state: "done", outcome: "solved" } as const;
  const [message] = messagesOf(before, { record, note: "restored" } as never, aPlan(), 5);
  expect(RangeEvent.parse(message?.body)).toMatchObject({
    type: "episode-finished",
    problem,
    task: "detection",
  });
});
