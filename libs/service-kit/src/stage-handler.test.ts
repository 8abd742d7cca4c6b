import type { MessageContext } from "@microremed/bus";
import type { RestoreCommand, StageResult } from "@microremed/contracts";
import { retryable, silentLogger, terminal } from "@microremed/core";
import { stageKeyText } from "@microremed/state";
import { expect, test } from "vitest";
import { type StageBody, stageHandler } from "./stage-handler.ts";

const command: RestoreCommand = {
  experimentId: "exp",
  episodeId: "exp.0001",
  trial: 1,
  attempt: 2,
  arena: { cluster: "c1", slot: 0, namespace: "shop", fence: 5 },
  environment: "shop",
  failure: "cpu-stress",
  target: "cart",
  timeoutSeconds: 10,
};

const context = (attempt = 1, signal = new AbortController().signal): MessageContext => ({
  signal,
  attempt,
  maxAttempts: 8,
  messageId: "m",
  traceId: "t",
  subject: "microremed.commands.restore.c1",
  headers: {},
  log: silentLogger,
  fields: {},
});

/** A restore handler over a store and a bus that remember. */
function restorer(run: () => Promise<StageBody<"restore">>, fence = 5) {
  const stored = new Map<string, StageResult>();
  const published: { subject: string; body: unknown; msgId: string | undefined }[] = [];
  let runs = 0;
  const handle = stageHandler({
    stage: "restore",
    bus: {
      publish: async (subject, body, options) =>
        void published.push({ subject, body, msgId: options?.msgId }),
    },
    state: {
      results: {
        get: async (key) => stored.get(stageKeyText(key)),
        store: async (result) => {
          const key = stageKeyText(result);
          stored.set(key, stored.get(key) ?? result);
          return stored.get(key) ?? result;
        },
      },
      arenas: { currentFence: async () => fence },
    },
    run: (_: RestoreCommand) => {
      runs++;
      return run();
    },
  });
  return { handle, stored, published, runs: () => runs };
}

test("runs a command once and answers its redelivery with the stored result", async () => {
  const { handle, published, runs } = restorer(async () => ({ status: "ok", how: "reset" }));
  await handle(command, context());
  await handle(command, context(2));
  expect(runs()).toBe(1);
  const result = {
    subject: "microremed.results.restore",
    msgId: "exp.0001/1/2/restore/result",
    body: expect.objectContaining({
      stage: "restore",
      trial: 1,
      attempt: 2,
      body: { status: "ok", how: "reset" },
    }),
  };
  expect(published).toEqual([result, result]);
});

test("does nothing under a lease that is no longer the arena's", async () => {
  const { handle, published, runs, stored } = restorer(async () => ({ status: "ok", how: "reset" }), 6);
  await handle(command, context());
  expect(runs()).toBe(0);
  expect(stored.size).toBe(0);
  expect(published).toMatchObject([{ body: { body: { status: "failed", error: { code: "stale-lease" } } } }]);
});

test("lets a retryable error be delivered again, and reports it when the tries are used up", async () => {
  const { handle, published } = restorer(async () => {
    throw retryable("cluster-unreachable", "no answer");
  });
  for (const attempt of [1, 2, 3])
    await expect(handle(command, context(attempt))).rejects.toThrow("no answer");
  expect(published).toEqual([]);
  const last = context(4);
  await handle(command, last);
  expect(published).toMatchObject([
    { body: { body: { status: "failed", error: { code: "cluster-unreachable" } } } },
  ]);
  expect(last.fields).toMatchObject({ error_code: "cluster-unreachable" });
});

test("reports a terminal error at once, with its details", async () => {
  const { handle, published } = restorer(async () => {
    throw terminal("restore-failed", "cart is not back", { workload: "cart" });
  });
  await handle(command, context());
  expect(published).toMatchObject([
    {
      body: {
        body: {
          error: { code: "restore-failed", message: "cart is not back", details: { workload: "cart" } },
        },
      },
    },
  ]);
});

test("reports a result that is none as a defect, and releases the message when the service stops", async () => {
  const wrong = restorer(async () => ({ status: "ok", how: "magic" }) as never);
  await wrong.handle(command, context());
  expect(wrong.published).toMatchObject([{ body: { body: { error: { code: "internal" } } } }]);
  const stopped = restorer(async () => {
    throw terminal("internal", "aborted");
  });
  await expect(stopped.handle(command, context(1, AbortSignal.abort()))).rejects.toThrow("aborted");
});
