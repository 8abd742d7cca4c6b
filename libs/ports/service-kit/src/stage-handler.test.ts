import { setTimeout as delay } from "node:timers/promises";
import type { MessageContext } from "@microremed/bus";
import type { RestoreCommand, StageBody, StageResult } from "@microremed/contracts";
import { retryable, silentLogger, terminal } from "@microremed/core";
import { stageKeyText } from "@microremed/state";
import { expect, test } from "vitest";
import { type StageContext, stageHandler } from "./stage-handler.ts";

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

const never = new AbortController().signal;
const context = (attempt = 1, signal = never, stopping = signal): MessageContext => ({
  signal,
  stopping,
  attempt,
  maxAttempts: 8,
  messageId: "m",
  subject: "microremed.commands.restore.c1",
  headers: {},
  log: silentLogger,
  fields: {},
});

type Run = (context: StageContext) => Promise<StageBody<"restore">>;

/** A restore handler over a store and a bus that remember. */
function restorer(run: Run, fence = 5, besideFailure?: () => Promise<object>) {
  const stored = new Map<string, StageResult>();
  const claims = new Map<string, string>();
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
        store: async (result, holder) => {
          const key = stageKeyText(result);
          if (!stored.has(key) && claims.get(key) === holder) stored.set(key, result);
          return stored.get(key);
        },
      },
      claims: {
        take: async (key, holder) => {
          const name = stageKeyText(key);
          const result = stored.get(name);
          if (result) return { status: "done", result };
          if (key.arena.fence !== fence) return { status: "stale", fence };
          if (claims.has(name)) return { status: "busy", forMs: 5 };
          claims.set(name, holder);
          return { status: "taken" };
        },
        renew: async (key, holder) => claims.get(stageKeyText(key)) === holder,
        release: async (key, holder) => {
          if (claims.get(stageKeyText(key)) === holder) claims.delete(stageKeyText(key));
        },
      },
    },
    run: (_: RestoreCommand, context) => {
      runs++;
      return run(context);
    },
    besideFailure,
  });
  return { handle, stored, claims, published, runs: () => runs };
}

test("runs a command once and answers its redelivery with the stored result", async () => {
  const { handle, published, runs } = restorer(async () => ({ status: "ok", how: "reset", damage: null }));
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
      body: { status: "ok", how: "reset", damage: null },
    }),
  };
  expect(published).toEqual([result, result]);
});

test("does nothing under a lease that is no longer the arena's", async () => {
  const { handle, published, runs, stored } = restorer(
    async () => ({ status: "ok", how: "reset", damage: null }),
    6,
  );
  await handle(command, context());
  expect(runs()).toBe(0);
  expect(stored.size).toBe(0);
  expect(published).toMatchObject([{ body: { body: { status: "failed", error: { code: "stale-lease" } } } }]);
});

test("two deliveries at once: one works, the other waits for its result", async () => {
  const work = Promise.withResolvers<void>();
  const { handle, published, runs } = restorer(async () => {
    await work.promise;
    return { status: "ok", how: "reset", damage: null };
  });
  const both = Promise.all([handle(command, context()), handle(command, context(2))]);
  work.resolve();
  await both;
  expect(runs()).toBe(1);
  expect(published).toHaveLength(2);
  expect(published[0]).toEqual(published[1]);
});

test("a process that was paused for too long changes nothing and does not count", async () => {
  const key = "exp.0001/1/2/restore";
  const changes: string[] = [];
  const range = restorer(async ({ assertHeld, signal }) => {
    const first = range.runs() === 1;
    // While the first sleeps, another takes its claim, works and dies.
    if (first) range.claims.set(key, "another");
    await assertHeld().finally(() => {
      if (first) range.claims.delete(key);
      expect(signal.aborted).toBe(first);
    });
    changes.push(`run ${range.runs()}`);
    return { status: "ok", how: "redeployed", damage: null };
  });
  await range.handle(command, context());
  expect(changes).toEqual(["run 2"]);
  expect(range.published).toMatchObject([
    { body: { body: { status: "ok", how: "redeployed", damage: null } } },
  ]);
});

test("lets a retryable error be delivered again, and reports it when the tries are used up", async () => {
  const { handle, published } = restorer(async () => {
    throw retryable("cluster-unreachable", "no answer");
  });
  for (const attempt of [1, 2, 3, 4, 5, 6])
    await expect(handle(command, context(attempt))).rejects.toThrow("no answer");
  expect(published).toEqual([]);
  const last = context(7);
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

test("what only waits when the service begins to stop is released: for another worker, or in its own work", async () => {
  const stopping = new AbortController();
  const reason = new Error("the service is stopping");
  const own = restorer(async ({ stopping }) => {
    await delay(600_000, undefined, { signal: stopping });
    return { status: "ok", how: "reset", damage: null };
  });
  const working = own.handle(command, context(7, never, stopping.signal));
  const busy = restorer(async () => ({ status: "ok", how: "reset", damage: null }));
  busy.claims.set("exp.0001/1/2/restore", "another");
  const waiting = busy.handle(command, context(1, never, stopping.signal));
  await expect.poll(() => own.claims.size).toBe(1);
  stopping.abort(reason);
  await expect(working).rejects.toMatchObject({ cause: reason });
  await expect(waiting).rejects.toMatchObject({ cause: reason });
  expect(own.claims.size).toBe(0);
  expect([...own.published, ...busy.published]).toEqual([]);
});

test("what is said beside a failure is in the result, whichever error it is; where that fails, the error stands alone", async () => {
  const away = () => Promise.reject(retryable("cluster-unreachable", "away"));
  const error = { code: "cluster-unreachable", message: "away, and more", details: {} };
  const said = restorer(away, 5, async () => ({ error }));
  await said.handle(command, context(8));
  expect(said.published).toMatchObject([{ body: { body: { status: "failed", error } } }]);
  const unsaid = restorer(away, 5, () => Promise.reject(new Error("no store")));
  await unsaid.handle(command, context(8));
  expect(unsaid.published).toMatchObject([
    { body: { body: { status: "failed", error: { message: "away" } } } },
  ]);
});

test("a result that no message could take is a failure that says so", async () => {
  const changes = Array.from({ length: 12_000 }, () => ({
    ...{ where: "arena", what: "added", object: "Pod/a", detail: "x".repeat(100) },
  }));
  const damage = { changes } as never;
  const { handle, published } = restorer(async () => ({ status: "ok", how: "reset", damage }));
  await handle(command, context(8));
  const error = { code: "internal", message: expect.stringContaining("bytes, and a message takes at most") };
  expect(published).toMatchObject([{ body: { body: { status: "failed", error } } }]);
});
