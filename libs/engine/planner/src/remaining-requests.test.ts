import { ExperimentRequest } from "@microremed/contracts";
import { expect, test } from "vitest";
import { remainingRequests } from "./remaining-requests.ts";

const request = ExperimentRequest.parse({ id: "exp-1", environment: "shop", model: ["a", "b"], seed: 3 });

test("what is missing is asked for model by model, by the numbers of the model's own plan", () => {
  const parts = remainingRequests(request, "key", [1, 4, 6, 7]);
  expect(parts.map(({ numbers }) => numbers)).toEqual([
    [4, 6],
    [1, 7],
  ]);
  expect(
    parts.map(({ request: { model, episodes, agentSeed, seed, id } }) => ({
      model,
      episodes,
      agentSeed,
      seed,
      id,
    })),
  ).toEqual([
    { model: ["a"], episodes: [2, 3], agentSeed: "key", seed: 3, id: undefined },
    { model: ["b"], episodes: [0, 3], agentSeed: "key", seed: 3, id: undefined },
  ]);
  for (const part of parts) expect(ExperimentRequest.safeParse(part.request).success).toBe(true);
});

test("no more numbers are in one request than it may have; nothing missing is no request", () => {
  expect(remainingRequests(request, "key", [])).toEqual([]);
  const all = Array.from({ length: 100_002 }, (_, i) => i);
  const parts = remainingRequests(request, "key", all);
  expect(parts.map(({ numbers }) => numbers.length)).toEqual([50_000, 1, 50_000, 1]);
});
