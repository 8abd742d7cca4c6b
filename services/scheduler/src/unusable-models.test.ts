import { createMemoryBus } from "@microremed/bus/memory";
import { ModelCheck, subjects } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { unusableModels } from "./unusable-models.ts";

const known = ["gpt-4.1", "reference/noop"];

/** A bus on which a remediator knows two models, and what it was asked. */
async function withRemediator() {
  const bus = createMemoryBus();
  const asked: ModelCheck[] = [];
  await bus.serve(subjects.checkModel("*"), "remediator", ModelCheck, async (request) => {
    asked.push(request);
    if (request.model === "slow") throw terminal("model-unreachable", "no answer");
    const error = { code: "unknown-model", message: "no such model", details: { known } };
    return { trouble: known.includes(request.model) ? null : error, endpoint: null };
  });
  return { bus, asked };
}

const models = { solver: (method: string) => (method === "AlwaysYes" ? "code" : "model") } as const;
const request = { model: ["gpt-4.1"], method: ["ReAct"], judge: undefined };

test("models that no remediator is configured for are named with what may be meant; none is called", async () => {
  const { bus, asked } = await withRemediator();
  await using _bus = bus;
  expect(await unusableModels(bus, models, request)).toEqual([]);
  const wrong = { ...request, model: ["gpt-4.1", "gpt-4.l"], judge: "gtp-4.1" };
  expect(await unusableModels(bus, models, wrong)).toEqual([
    { path: "model.1", message: "no such model; did you mean gpt-4.1?" },
    { path: "judge", message: "no such model; did you mean gpt-4.1?" },
  ]);
  expect(asked.every(({ configured }) => configured)).toBe(true);
});

test("where nothing is known, nothing is refused: no remediator, no answer, no model", async () => {
  const { bus, asked } = await withRemediator();
  await using _bus = bus;
  expect(await unusableModels(bus, models, { ...request, model: ["slow"] })).toEqual([]);
  asked.length = 0;
  expect(await unusableModels(bus, models, { ...request, method: ["AlwaysYes"], model: ["none"] })).toEqual(
    [],
  );
  expect(asked).toEqual([]);
  await using empty = createMemoryBus();
  expect(await unusableModels(empty, models, request)).toEqual([]);
});
