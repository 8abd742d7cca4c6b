import { type EpisodeRecord, endSteps, StageResult, StoredEpisode, stageOut } from "@microremed/contracts";
import { oldEpisodes } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import { advance } from "./advance.ts";
import { commandOf } from "./stage-command.ts";
import { aPlan, aResult, bodies } from "./testing/builders.ts";

const old = Object.entries(oldEpisodes()).filter(([name]) => !name.startsWith("planned"));

test.each(old)("an episode that 0.1.0 left %s is sent on, and comes to its end", (_name, stored) => {
  const plan = aPlan({ maxAttempts: 3 });
  let record: EpisodeRecord = StoredEpisode.parse(stored);
  const before = endSteps(record.steps).length;
  const stage = stageOut[record.state];
  expect(commandOf(record, plan)?.subject).toContain(`microremed.commands.${stage}.`);
  for (let turn = 0; turn < 30 && record.state !== "done"; turn++) {
    const out = stageOut[record.state];
    if (out === undefined) throw new Error(`nothing is out in ${record.state}`);
    const body = Object.values(bodies[out])[0];
    const result = StageResult.parse(aResult(record, out, body));
    record = advance(record, plan, { kind: "result", result }, 1_000 * turn)?.record ?? record;
  }
  expect(record).toMatchObject({ state: "done", recordVersion: 2 });
  expect(record.outcome).not.toBeNull();
  expect(endSteps(record.steps).length).toBeGreaterThanOrEqual(before);
});
