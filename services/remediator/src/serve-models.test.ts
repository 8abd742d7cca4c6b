import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { serveModels } from "./serve-models.ts";

function fixture(patterns: readonly string[]) {
  const served = new Set<string>();
  const waits: string[] = [];
  const start = () =>
    serveModels({
      patterns,
      names: ["reference/noop", "gpt-4.1"],
      serve: async (model) => {
        served.add(model);
        return { [Symbol.asyncDispose]: async () => void served.delete(model) };
      },
      waiting: async () => [...waits],
      log: silentLogger,
      checkEveryMs: 1,
      idleMs: 5,
    });
  return { served, start, wait: (...models: string[]) => void waits.splice(0, waits.length, ...models) };
}

test("serves the known models that are ours, and none besides", async () => {
  const { served, start, wait } = fixture(["reference/*"]);
  wait("gpt-4.1", "somebody-elses");
  await using _models = await start();
  expect([...served]).toEqual(["reference/noop"]);
});

test("serves an unlisted model while it has turns waiting, and lets go of everything at the end", async () => {
  const { served, start, wait } = fixture(["*"]);
  {
    await using _models = await start();
    expect([...served]).toEqual(["reference/noop", "gpt-4.1"]);
    wait("new-model");
    await expect.poll(() => served.has("new-model")).toBe(true);
    wait();
    await expect.poll(() => served.has("new-model")).toBe(false);
    wait("new-model");
    await expect.poll(() => served.has("new-model")).toBe(true);
  }
  expect([...served]).toEqual([]);
});
