import {
  type Arena,
  type EpisodeRecord,
  ExperimentRequest,
  episodeId,
  plannedRecord,
} from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import { silentLogger } from "@microremed/core";
import { type RunningServer, startRedisServer } from "@microremed/servers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutboxMessage } from "../outbox.ts";
import type { State } from "../state.ts";
import { connectRedisState } from "./connect-redis-state.ts";

let server: RunningServer;
let spaces = 0;

beforeAll(async () => {
  server = await startRedisServer({ password: "secret" });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** A state of the test's own on the shared server. */
const freshState = (): Promise<State> =>
  connectRedisState({ url: server.url, prefix: `t${spaces++}:`, log: silentLogger });

const episode = (experimentId: string, index: number): EpisodeRecord =>
  plannedRecord(experimentId, aPlannedEpisode({ index, target: "cartservice" }));

const message = (name: string): OutboxMessage => ({
  subject: "microremed.test",
  body: { name },
  msgId: name,
});

interface Wish {
  id: string;
  model?: string[];
  episodes?: number;
  /** Those that it will have, if more than are planned at first. */
  total?: number;
  maxParallel?: number;
  clusters?: string[];
  wants?: string;
  priority?: number;
}

async function create(state: State, wish: Wish): Promise<boolean> {
  const { id, episodes = 1, total = episodes, wants = "shop@shop", ...rest } = wish;
  const request = ExperimentRequest.parse({ id, environment: "shop", model: "reference/noop", ...rest });
  const times = { harnessVersion: "1.2.3", submittedAt: 1, finishedAt: null };
  const record = { id, request, status: "running" as const, episodes: total, ...times };
  const { created } = await state.experiments.create(record, {
    wants,
    episodes: Array.from({ length: episodes }, (_, i) => episode(id, i)),
    messages: [message(`${id}/started`)],
  });
  return created;
}

async function claimedNames(state: State): Promise<string[]> {
  const claimed = await state.outbox.claim({ limit: 1000, claimMs: 60_000 });
  return claimed.map(({ msgId }) => msgId);
}

test("creates an experiment with its episodes once, however often and from wherever it is asked to", async () => {
  await using state = await freshState();
  const created = await Promise.all([1, 2, 3].map(() => create(state, { id: "exp", episodes: 500 })));
  expect(created.filter(Boolean)).toHaveLength(1);
  expect(await state.episodes.pending("exp", 1000)).toHaveLength(500);
  expect(await state.episodes.get("exp.0499")).toEqual(episode("exp", 499));
  expect(await claimedNames(state)).toEqual(["exp/started"]);
  expect((await state.experiments.list(10)).map(({ id }) => id)).toEqual(["exp"]);
});

test("an experiment is extended once from each point, and not after it was cancelled", async () => {
  await using state = await freshState();
  await create(state, { id: "exp", episodes: 2, total: 6 });
  const { record } = (await state.experiments.get("exp")) ?? {};
  if (!record) throw new Error("no experiment");
  await state.arenas.register([{ name: "c", arenas: 3 }]);
  for (const index of [0, 1]) {
    expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toMatchObject({
      episodeId: episode("exp", index).id,
    });
  }
  expect(await state.experiments.waiting()).toEqual([]);
  const next = [episode("exp", 2), episode("exp", 3)];
  const added = await Promise.all([1, 2, 3].map(() => state.experiments.extend(record, 2, next)));
  expect(added.filter(Boolean)).toHaveLength(1);
  expect(await state.episodes.pending("exp", 10)).toEqual(next.map(({ id }) => id));
  expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toMatchObject({
    episodeId: episode("exp", 2).id,
  });
  await state.experiments.cancel("exp");
  expect(await state.experiments.extend(record, 4, [episode("exp", 4)])).toBe(false);
  expect(await state.experiments.get("exp")).toMatchObject({ cancelled: true, planned: 4, total: 4 });
});

test("of two transitions from one version one wins, and only its messages are sent", async () => {
  await using state = await freshState();
  await create(state, { id: "exp" });
  await claimedNames(state);
  const next = { ...episode("exp", 0), state: "done" as const, outcome: "cancelled" as const };
  const tries = await Promise.allSettled(
    ["a", "b", "c"].map((name) => state.episodes.transition(0, { next, messages: [message(name)] })),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const lost = tries.find(({ status }) => status === "rejected");
  expect(lost).toMatchObject({ reason: { code: "version-conflict", severity: "retryable" } });
  expect(await state.episodes.get("exp.0000")).toMatchObject({ version: 1, state: "done" });
  expect(await claimedNames(state)).toHaveLength(1);
});

test("fifty claims at once lease every arena to one episode only", async () => {
  await using state = await freshState();
  await using other = await connectRedisState({
    url: server.url,
    prefix: `t${spaces - 1}:`,
    log: silentLogger,
  });
  await create(state, { id: "exp", episodes: 30, maxParallel: 100 });
  await state.arenas.register([
    { name: "c1", arenas: 10 },
    { name: "c2", arenas: 10 },
  ]);
  const leases = await Promise.all(
    Array.from({ length: 50 }, (_, i) => (i % 2 ? state : other).arenas.leaseNext({ claimMs: 60_000 })),
  );
  const given = leases.filter((lease) => lease !== undefined);
  expect(given).toHaveLength(20);
  expect(new Set(given.map(({ cluster, slot }) => `${cluster}/${slot}`)).size).toBe(20);
  expect(given.map(({ episodeId }) => episodeId).toSorted()).toEqual(
    Array.from({ length: 20 }, (_, i) => episodeId("exp", i)),
  );
});

test("a higher priority gets a larger share of the arenas, and nobody starves", async () => {
  await using state = await freshState();
  await create(state, { id: "urgent", episodes: 100, maxParallel: 100, priority: 9 });
  await create(state, { id: "normal", episodes: 100, maxParallel: 100 });
  await create(state, { id: "lowest", episodes: 100, maxParallel: 100, priority: 0 });
  await state.arenas.register([{ name: "c1", arenas: 65 }]);
  const given: Record<string, number> = {};
  for (let i = 0; i < 65; i++) {
    const id = (await state.arenas.leaseNext({ claimMs: 60_000 }))?.experimentId ?? "nobody";
    given[id] = (given[id] ?? 0) + 1;
  }
  // Shares are as 1/1, 1/5 and 1/10.
  expect(given).toEqual({ urgent: 50, normal: 10, lowest: 5 });
});

test("models of one experiment share its arenas: a slow one holds no more than its part while another has work", async () => {
  await using state = await freshState();
  await state.arenas.register([{ name: "c1", arenas: 6 }]);
  await create(state, { id: "matrix", episodes: 40, model: ["slow", "fast"], maxParallel: 6 });
  const held = { slow: 0, fast: 0 };
  const taken: number[] = [];
  // The slow model's episodes never end; every other one ends at once.
  for (;;) {
    const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
    if (!lease) break;
    const index = Number(lease.episodeId.slice(-4));
    taken.push(index);
    if (index % 2 === 0) {
      held.slow++;
      expect(held.slow).toBeLessThanOrEqual(taken.filter((one) => one % 2 === 1).length < 20 ? 3 : 6);
      continue;
    }
    held.fast++;
    const arena = { ...lease, namespace: "shop" };
    const next = {
      ...episode("matrix", index),
      arena,
      state: "done" as const,
      outcome: "cancelled" as const,
    };
    await state.episodes.transition(0, { next, messages: [], effect: { kind: "release", arena } });
  }
  expect(held.fast).toBe(20);
  expect(taken.filter((index) => index % 2 === 1)).toEqual(Array.from({ length: 20 }, (_, i) => 2 * i + 1));
  // When nobody else waits, the rest of the arenas is the slow one's.
  expect(held.slow).toBe(6);
});

test("experiments take turns, keep to their own bound and to the clusters they may use", async () => {
  await using state = await freshState();
  await create(state, { id: "big", episodes: 10, maxParallel: 3 });
  await create(state, { id: "small", episodes: 10, clusters: ["c2"] });
  await state.arenas.register([
    { name: "c1", arenas: 5 },
    { name: "c2", arenas: 5 },
  ]);
  const order: string[] = [];
  for (;;) {
    const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
    if (!lease) break;
    order.push(`${lease.experimentId}@${lease.cluster}`);
  }
  expect(order).toEqual([
    "big@c1",
    "small@c2",
    "big@c1",
    "small@c2",
    "big@c1",
    "small@c2",
    "small@c2",
    "small@c2",
  ]);
});

/** Leases an arena and lets the episode know. */
async function leased(state: State): Promise<{ record: EpisodeRecord; arena: Arena }> {
  const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
  if (!lease) throw new Error("nothing to lease");
  const { cluster, slot, fence } = lease;
  const arena = { cluster, slot, fence, namespace: "shop" };
  const record = { ...episode(lease.experimentId, 0), state: "leased" as const, arena };
  await state.episodes.transition(0, { next: record, messages: [], lookAt: 1000 });
  return { record, arena };
}

test("a released arena is leased again under a higher fence, and remembers what is deployed there", async () => {
  await using state = await freshState();
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  await create(state, { id: "one" });
  await create(state, { id: "two" });
  const { record, arena } = await leased(state);
  expect(await state.arenas.currentFence(arena)).toBe(arena.fence);
  expect(await state.episodes.overdue(2000, 10)).toEqual([record.id]);
  await state.episodes.lookAgain(record.id, 3000);
  expect(await state.episodes.overdue(2000, 10)).toEqual([]);
  expect(await state.episodes.overdue(3000, 10)).toEqual([record.id]);
  await state.episodes.transition(1, {
    next: record,
    messages: [],
    effect: { kind: "deployed", arena, wants: "shop@shop" },
  });
  const { allDone } = await state.episodes.transition(2, {
    next: { ...record, state: "done", arena: null },
    messages: [],
    effect: { kind: "release", arena },
  });
  expect(allDone).toBe(true);
  await state.episodes.lookAgain(record.id, 1000);
  expect(await state.episodes.overdue(2000, 10)).toEqual([]);
  const again = await state.arenas.leaseNext({ claimMs: 60_000 });
  expect(again).toMatchObject({ experimentId: "two", cluster: "c1", slot: 0, fence: arena.fence + 1 });
  expect(await state.arenas.list()).toMatchObject([{ deployed: "shop@shop", episode: "two.0000" }]);
  // The first holder, waking up late, can no longer give away what is not its own.
  await state.episodes.transition(3, {
    next: { ...record, state: "done" },
    messages: [],
    effect: { kind: "release", arena },
  });
  expect(await state.arenas.list()).toMatchObject([{ episode: "two.0000" }]);
});

test("a raised fence shuts out the stage that holds the old one; a foreign lease is refused", async () => {
  await using state = await freshState();
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  await create(state, { id: "one" });
  const { record, arena } = await leased(state);
  const raised = { ...arena, fence: arena.fence + 1 };
  const step = {
    next: { ...record, arena: raised },
    messages: [],
    effect: { kind: "refence", arena: raised },
  } as const;
  await state.episodes.transition(1, step);
  expect(await state.arenas.currentFence(arena)).toBe(arena.fence + 1);
  await expect(state.episodes.transition(2, step)).rejects.toMatchObject({ code: "stale-lease" });
});

test("a quarantined arena is leased to nobody until it is readmitted", async () => {
  await using state = await freshState();
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  await create(state, { id: "one" });
  await create(state, { id: "two" });
  const { record, arena } = await leased(state);
  await state.episodes.transition(1, {
    next: { ...record, state: "done" },
    messages: [],
    effect: { kind: "quarantine", arena, reason: "could not be restored" },
  });
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  expect(await state.arenas.leaseNext({ claimMs: 1 })).toBeUndefined();
  expect(await state.arenas.list()).toMatchObject([{ quarantined: "could not be restored", episode: null }]);
  expect(await state.arenas.readmit(arena)).toBe(true);
  expect(await state.arenas.leaseNext({ claimMs: 1 })).toMatchObject({ experimentId: "two" });
  // Another scheduler that was about to does not free the arena of who has it now.
  expect(await state.arenas.readmit(arena)).toBe(false);
  expect(await state.arenas.leaseNext({ claimMs: 1 })).toBeUndefined();
});

test("a cluster that is blamed enough without anything going well is leased to nobody until it is released", async () => {
  await using state = await freshState();
  await state.arenas.register([
    { name: "c1", arenas: 1 },
    { name: "c2", arenas: 1 },
  ]);
  await create(state, { id: "one", episodes: 3, maxParallel: 3 });
  const why = { reason: "silent", since: 1, until: 1 };
  const blame = (key: string) => state.clusters.blame({ cluster: "c1", key, weight: 3 }, 6, why);
  expect(await blame("a")).toBe(false);
  expect(await blame("a")).toBe(false);
  expect(await state.clusters.suspected()).toEqual(["c1"]);
  await state.clusters.clear("c1");
  expect(await blame("b")).toBe(false);
  expect(await blame("c")).toBe(true);
  expect(await blame("d")).toBe(false);
  expect(await state.clusters.quarantined()).toEqual(new Map([["c1", why]]));
  expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toMatchObject({ cluster: "c2" });
  expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toBeUndefined();
  expect(await state.clusters.release("c1")).toBe(true);
  expect(await state.clusters.release("c1")).toBe(false);
  expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toMatchObject({ cluster: "c1" });
});

test("a lease whose episode never heard of it ends, and the episode waits again", async () => {
  await using state = await freshState();
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  await create(state, { id: "one" });
  const lease = await state.arenas.leaseNext({ claimMs: 0 });
  expect(await state.experiments.waiting()).toEqual([]);
  if (!lease) throw new Error("nothing leased");
  const { waiting, unplanned, ...known } = lease;
  expect({ waiting, unplanned }).toEqual({ waiting: 0, unplanned: 0 });
  expect(await state.arenas.expiring(1000)).toEqual([{ ...known, over: true }]);
  expect(await state.arenas.abandon(lease, await state.episodes.get("one.0000"))).toBe(true);
  expect(await state.arenas.abandon(lease, await state.episodes.get("one.0000"))).toBe(false);
  // The scheduler that leased it, waking up late, cannot take it any more.
  const { cluster, slot, fence } = lease;
  const arena = { cluster, slot, fence, namespace: "shop" };
  const next = { ...episode("one", 0), state: "leased" as const, arena };
  const effect = { kind: "take", arena, leaseMs: 60_000 } as const;
  await expect(state.episodes.transition(0, { next, messages: [], effect })).rejects.toMatchObject({
    code: "stale-lease",
  });
  const again = await state.arenas.leaseNext({ claimMs: 1 });
  expect(again).toMatchObject({ episodeId: "one.0000", fence: fence + 1 });
  const taken = { ...arena, fence: fence + 1 };
  await state.episodes.transition(0, {
    next: { ...next, arena: taken },
    messages: [],
    effect: { ...effect, arena: taken },
  });
  expect(await state.arenas.expiring(30_000)).toEqual([]);
});

test("a cancelled experiment gets no arena, and an experiment is finished once", async () => {
  await using state = await freshState();
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  await create(state, { id: "one" });
  expect(await state.experiments.cancel("one")).toBe(true);
  expect(await state.experiments.cancel("nobody")).toBe(false);
  expect(await state.arenas.leaseNext({ claimMs: 1 })).toBeUndefined();
  const record = (await state.experiments.get("one"))?.record;
  if (!record) throw new Error("no experiment");
  const closed = { ...record, status: "cancelled" as const, finishedAt: 2 };
  expect(await state.experiments.finish(closed, [])).toBe(false);
  await state.episodes.transition(0, { next: { ...episode("one", 0), state: "done" }, messages: [] });
  const finished = await Promise.all([1, 2].map(() => state.experiments.finish(closed, [message("end")])));
  expect(finished.toSorted()).toEqual([false, true]);
  expect(await state.experiments.running()).toEqual([]);
  expect((await state.experiments.get("one"))?.record.status).toBe("cancelled");
});

test("a claimed message comes back when its publisher died, and is gone once deleted", async () => {
  await using state = await freshState();
  await create(state, { id: "one" });
  const [first] = await state.outbox.claim({ limit: 10, claimMs: 50 });
  expect(await state.outbox.claim({ limit: 10, claimMs: 50 })).toEqual([]);
  await expect.poll(() => state.outbox.claim({ limit: 10, claimMs: 60_000 })).toEqual([first]);
  await state.outbox.release([first?.id ?? ""]);
  expect(await state.outbox.claim({ limit: 10, claimMs: 60_000 })).toEqual([first]);
  await state.outbox.delete([first?.id ?? ""]);
  expect(await state.outbox.size()).toBe(0);
});

test("the messages of a transition are its caller's to publish, and anybody's when the caller does not", async () => {
  await using state = await freshState();
  await create(state, { id: "one" });
  await claimedNames(state);
  const next = { ...episode("one", 0), state: "done" as const };
  const sent = [message("a"), message("b")];
  const { messages } = await state.episodes.transition(0, { next, messages: sent, claimMs: 200 });
  expect(messages).toMatchObject(sent);
  expect(await claimedNames(state)).toEqual([]);
  await state.outbox.delete(messages.slice(0, 1).map(({ id }) => id));
  await expect.poll(() => state.outbox.claim({ limit: 10, claimMs: 60_000 })).toEqual(messages.slice(1));
});

test("a conversation grows only from the length its writer saw", async () => {
  await using state = await freshState();
  const key = { episodeId: "one.0000", trial: 1 };
  const say = (content: string) => ({ role: "user" as const, content });
  expect(await state.conversations.read(key)).toEqual([]);
  await state.conversations.append(key, 0, [say("a"), say("b")]);
  await expect(state.conversations.append(key, 0, [say("c")])).rejects.toMatchObject({
    code: "version-conflict",
  });
  expect(await state.conversations.read(key)).toEqual([say("a"), say("b")]);
});

test("the first result of a stage stays", async () => {
  await using state = await freshState();
  const key = { experimentId: "one", episodeId: "one.0000", trial: 1, attempt: 0, stage: "restore" as const };
  const first = { ...key, body: { status: "ok" as const, how: "reset" as const, damage: null } };
  const claim = { ...key, arena: { cluster: "c1", slot: 0, fence: 0 } };
  expect(await state.claims.isHeld(claim)).toBe(false);
  expect(await state.claims.take(claim, "a", 5000)).toEqual({ status: "taken" });
  expect(await state.claims.isHeld(claim)).toBe(true);
  expect(await state.results.get(key)).toBeUndefined();
  expect(await state.results.store(first, "a")).toEqual(first);
  expect(
    await state.results.store({ ...key, body: { status: "ok", how: "redeployed", damage: null } }, "a"),
  ).toEqual(first);
  expect(await state.results.get(key)).toEqual(first);
  expect(await state.claims.take(claim, "b", 5000)).toEqual({ status: "done", result: first });
});

test("one process at a time works on a command; whoever lost its claim can neither go on nor store a result", async () => {
  await using state = await freshState();
  const key = { experimentId: "one", episodeId: "one.0000", trial: 1, attempt: 0, stage: "restore" as const };
  const result = { ...key, body: { status: "ok" as const, how: "reset" as const, damage: null } };
  const claim = { ...key, arena: { cluster: "c1", slot: 0, fence: 0 } };
  expect(await state.claims.take({ ...claim, arena: { ...claim.arena, fence: 7 } }, "a", 5000)).toEqual({
    status: "stale",
    fence: 0,
  });
  expect(await state.claims.take(claim, "paused", 50)).toEqual({ status: "taken" });
  expect(await state.claims.take(claim, "next", 5000)).toMatchObject({ status: "busy" });
  await expect.poll(() => state.claims.take(claim, "next", 5000)).toEqual({ status: "taken" });
  expect(await state.claims.renew(claim, "paused", 5000)).toBe(false);
  expect(await state.results.store(result, "paused")).toBeUndefined();
  await state.claims.release(claim, "paused");
  expect(await state.claims.renew(claim, "next", 5000)).toBe(true);
  await state.claims.release(claim, "next");
  expect(await state.claims.take(claim, "third", 5000)).toEqual({ status: "taken" });
});

test("what is remembered of an episode may be old, which its version tells", async () => {
  await using state = await freshState();
  await using other = await connectRedisState({
    url: server.url,
    prefix: `t${spaces - 1}:`,
    log: silentLogger,
  });
  await create(state, { id: "exp", episodes: 3 });
  expect(state.episodes.latest("exp.0000")).toBeUndefined();
  const record = await state.episodes.get("exp.0000");
  if (!record) throw new Error("no episode");
  expect(state.episodes.latest("exp.0000")).toBe(record);
  expect(state.experiments.latest("exp")).toMatchObject({ id: "exp", episodes: 3 });
  await other.episodes.transition(0, { next: { ...record, attempt: 1 }, messages: [] });
  expect(other.episodes.latest("exp.0000")).toMatchObject({ version: 1, attempt: 1 });
  expect(state.episodes.latest("exp.0000")).toBe(record);
  await expect(state.episodes.transition(0, { next: record, messages: [] })).rejects.toMatchObject({
    code: "version-conflict",
  });
});

test("a lease tells how many episodes wait still, and how many are to be planned yet", async () => {
  await using state = await freshState();
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  await create(state, { id: "exp", episodes: 5, total: 100 });
  expect(await state.arenas.leaseNext({ claimMs: 1 })).toMatchObject({ waiting: 4, unplanned: 95 });
});

test("goes on after the server was killed and came back with its files, its scripts forgotten", async () => {
  const first = await startRedisServer({ dir: `${server.dir}/second`, password: "secret" });
  await using state = await connectRedisState({ url: first.url, log: silentLogger });
  await create(state, { id: "one" });
  const record = await state.episodes.get("one.0000");
  expect(state.episodes.latest("one.0000")).toBe(record);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  process.kill(first.pid, "SIGKILL");
  await expect.poll(() => state.connected).toBe(false);
  // It may come back with less than it had confirmed.
  expect(state.episodes.latest("one.0000")).toBeUndefined();
  expect(state.experiments.latest("one")).toBeUndefined();
  const sizes = state.outbox.size();
  await using _second = await startRedisServer({ dir: first.dir, port: first.port, password: "secret" });
  expect(await sizes).toBe(1);
  expect(await claimedNames(state)).toEqual(["one/started"]);
});
