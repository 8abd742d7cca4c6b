import { ModelCheck, type ModelCheckReply, subjects } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { allGoesWell, type Range, startRange } from "./testing/range.ts";

const request = { environment: "shop", model: ["broken", "sound"], maxParallel: 4 };
const reason = "it answered 503";

/** A range in which every turn of the model `broken` fails while `down()`. */
async function rangeWith(down: () => boolean): Promise<Range> {
  const range = await startRange((stage, command) => {
    if (stage === "solve" && "model" in command && command.model === "broken" && down())
      throw terminal("model-overloaded", reason);
    return allGoesWell(stage, command);
  });
  await Promise.all([range.addScheduler(), range.addScheduler()]);
  return range;
}

function remediator(range: Range, asked: string[], down: () => boolean): Promise<AsyncDisposable> {
  const answer = async ({ model, configured }: ModelCheck): Promise<ModelCheckReply> => {
    const endpoint = "https://models.example/v1";
    // Asked of every model when a request comes; the model itself is not.
    if (configured) return { trouble: null, endpoint };
    asked.push(model);
    const trouble = down() ? { code: "model-overloaded", message: reason, details: {} } : null;
    return { trouble, endpoint };
  };
  return range.bus.serve(subjects.checkModel("*"), "remediator", ModelCheck, answer);
}

/** To the experiment's end; `onWait` is called for each event that says that it waits. */
async function follow(range: Range, id: string, onWait: (reason: string) => void): Promise<void> {
  for await (const event of range.bus.readEvents(id, { signal: AbortSignal.timeout(600_000) })) {
    if (event.type === "experiment-waits") onWait(event.reason);
    if (event.type === "experiment-finished") break;
  }
}

async function outcomes(range: Range, id: string, model: string) {
  const episodes = await range.episodes(id);
  return episodes.filter((record) => record.model === model).map(({ outcome }) => outcome);
}

test("a provider that fails pauses its model and no other, says why, and costs no episode once it answers", async () => {
  let down = true;
  const asked: string[] = [];
  await using range = await rangeWith(() => down);
  await using _remediator = await remediator(range, asked, () => down);
  await range.bus.submit({ ...request, id: "outage" });
  const waits: string[] = [];
  await follow(range, "outage", (why) => {
    waits.push(why);
    // The one that began the pause, and one after the model was asked without success.
    if (waits.length === 2) down = false;
    range.skip(30_000);
  });
  expect(await outcomes(range, "outage", "sound")).toEqual(Array(20).fill("remediated"));
  expect(await outcomes(range, "outage", "broken")).toEqual(Array(20).fill("remediated"));
  expect(waits[0]).toMatch(/model broken is paused.*it answered 503 \[model-overloaded\].*harness errors/);
  expect(asked.length).toBeGreaterThanOrEqual(2);
  expect(new Set(asked)).toEqual(new Set(["broken"]));
  const tried = (await range.episodes("outage")).filter(({ trial }) => trial > 1).length;
  // No more of them than held an arena when it failed.
  expect(tried).toBeGreaterThan(0);
  expect(tried).toBeLessThanOrEqual(request.maxParallel);
  expect(await range.state.modelPauses.list()).toEqual([]);
});

test("a provider that does not come back ends its episodes as harness errors, without a turn for each", async () => {
  await using range = await rangeWith(() => true);
  await using _remediator = await remediator(range, [], () => true);
  await range.bus.submit({ ...request, id: "gone", timeouts: { outageSeconds: 600 } });
  await follow(range, "gone", () => range.skip(400_000));
  expect(await outcomes(range, "gone", "sound")).toEqual(Array(20).fill("remediated"));
  expect(await outcomes(range, "gone", "broken")).toEqual(Array(20).fill("harness-error"));
  const turns = range.commands.filter((command) => command.endsWith("/solve")).length;
  expect(turns).toBeLessThanOrEqual(20 + request.maxParallel);
  await expect.poll(() => range.state.modelPauses.list()).toEqual([]);
});
