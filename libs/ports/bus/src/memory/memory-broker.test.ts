import { streams, subjects } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Bus, Handler } from "../bus.ts";
import { bytes, consumeShard, type RestoreSeen, restore } from "../testing/bus-under-test.ts";
import { createManualTimers } from "../testing/index.ts";
import { createMemoryBroker, createMemoryBus, type MemoryBroker } from "./index.ts";

const minutes = 60_000;
const days = 24 * 60 * minutes;

function open(options: { mostBytes?: number } = {}) {
  const timers = createManualTimers();
  const broker = createMemoryBroker({ timers, ...options });
  return { timers, broker, bus: createMemoryBus({ broker }) };
}

const noteInto =
  (seen: string[]): Handler<RestoreSeen> =>
  async ({ episodeId }, { attempt }) =>
    void seen.push(`${episodeId} ${attempt}`);

test("remembers an id for ten minutes", async () => {
  const { bus, timers } = open();
  const seen: string[] = [];
  const { subject, consumption } = await consumeShard(bus, "ids", noteInto(seen));
  await using _running = consumption;
  const publish = () => bus.publish(subject, restore("a"), { msgId: "1" });
  await publish();
  await timers.advance(10 * minutes - 1);
  await publish();
  await bus.idle();
  expect(seen).toHaveLength(1);
  await timers.advance(1);
  await publish();
  await bus.idle();
  expect(seen).toHaveLength(2);
});

test("delivers again when the delay is over, not before", async () => {
  const { bus, timers } = open();
  const attempts: number[] = [];
  const { subject, consumption } = await consumeShard(bus, "nak", async (_, { attempt }) => {
    attempts.push(attempt);
    if (attempt < 3) throw retryable("cluster-unreachable", "no answer");
  });
  await using _running = consumption;
  await bus.publish(subject, restore("a"));
  await bus.idle();
  await timers.advance(249);
  expect(attempts).toEqual([1]);
  await timers.advance(1);
  await bus.idle();
  expect(attempts).toEqual([1, 2]);
  await timers.advance(500);
  await bus.idle();
  expect(attempts).toEqual([1, 2, 3]);
});

test("what a lost consumer had is delivered again after exactly its ack deadline", async () => {
  const { broker, bus, timers } = open();
  const lost = createMemoryBus({ broker });
  const begun = Promise.withResolvers<void>();
  const options = { ackWaitMs: 9_000 };
  const hanging: Handler<RestoreSeen> = () => {
    begun.resolve();
    return new Promise(() => {});
  };
  const { subject } = await consumeShard(lost, "lost", hanging, options);
  await bus.publish(subject, restore("a"));
  await begun.promise;
  const seen: string[] = [];
  await timers.advance(5_000);
  const other = await consumeShard(bus, "lost", noteInto(seen), options);
  await using _other = other.consumption;
  // It extended its deadline after three seconds for the last time.
  await lost[Symbol.asyncDispose]();
  await timers.advance(6_999);
  expect(seen).toEqual([]);
  await timers.advance(1);
  await bus.idle();
  expect(seen).toEqual(["ep-a.0001 2"]);
});

test("a handler that outlives its ack deadline keeps its message", async () => {
  const { bus, timers } = open();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const attempts: number[] = [];
  const { subject, consumption } = await consumeShard(bus, "long", async (_, { attempt }) => {
    attempts.push(attempt);
    begun.resolve();
    await gate.promise;
  });
  await using _running = consumption;
  await bus.publish(subject, restore("a"));
  await begun.promise;
  await timers.advance(60 * minutes);
  gate.resolve();
  await bus.idle();
  expect(attempts).toEqual([1]);
  expect(await bus.waitingSubjects(streams.injector.name, ">")).toEqual([]);
});

test("handlers that take over ten seconds to end have to let go", async () => {
  const { bus, timers } = open();
  const begun = Promise.withResolvers<void>();
  const { subject, consumption } = await consumeShard(bus, "slow-end", (_, { signal }) => {
    begun.resolve();
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  await bus.publish(subject, restore("a"));
  await begun.promise;
  const ending = consumption[Symbol.asyncDispose]();
  await timers.advance(10_000);
  await ending;
  const seen: string[] = [];
  const next = await consumeShard(bus, "slow-end", noteInto(seen));
  await using _next = next.consumption;
  await bus.idle();
  expect(seen).toEqual(["ep-a.0001 2"]);
});

test("a full work queue refuses, a full log forgets its oldest", async () => {
  const { broker, bus } = open({ mostBytes: 2_000 });
  const subject = subjects.command("restore", "full");
  const publishing = async () => {
    for (let i = 0; i < 20; i++) await bus.publish(subject, restore(`${i}`));
  };
  await expect(publishing()).rejects.toMatchObject({
    code: "bus-unreachable",
    message: expect.stringContaining("maximum bytes exceeded"),
  });
  for (let i = 0; i < 50; i++) broker.store(letter(`${i}`.padStart(100, "0")));
  const kept = await lettersOf(bus);
  expect(kept.at(-1)).toBe(`${"0".repeat(98)}49`);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(20);
  for (const { bytes, limitBytes } of await bus.queues()) expect(bytes).toBeLessThanOrEqual(limitBytes);
});

test("what is older than its stream keeps it is gone", async () => {
  const { broker, bus, timers } = open();
  broker.store(letter("old"));
  await timers.advance(29 * days);
  broker.store(letter("young"));
  await timers.advance(2 * days);
  broker.store(letter("new"));
  expect(await lettersOf(bus)).toEqual(["young", "new"]);
});

test("idle waits for what follows from a message, and not for messages without a consumer", async () => {
  const { bus } = open();
  const seen: string[] = [];
  const last = await consumeShard(bus, "last", noteInto(seen));
  const first = await consumeShard(bus, "first", async () => {
    await bus.request("microremed.rpc.next", {}, { schema: anything, timeoutMs: 1_000 });
  });
  await using _served = await bus.serve("microremed.rpc.next", "q", anything, async () => {
    await bus.publish(last.subject, restore("end"));
    return {};
  });
  await using _last = last.consumption;
  await using _first = first.consumption;
  await bus.publish(subjects.command("restore", "nobody"), restore("nobody"));
  await bus.publish(first.subject, restore("begin"));
  await bus.idle();
  expect(seen).toEqual(["ep-end.0001 1"]);
});

test("idle says what goes on when it has waited for too long", async () => {
  const { bus } = open();
  const gate = Promise.withResolvers<void>();
  const { subject, consumption } = await consumeShard(bus, "stuck", () => gate.promise);
  await using _running = consumption;
  await bus.publish(subject, restore("stuck"));
  await expect(bus.idle({ timeoutMs: 20 })).rejects.toMatchObject({
    code: "deadline-exceeded",
    message: expect.stringContaining("tester-commands_restore_stuck"),
  });
  gate.resolve();
});

test("subjects that share slots take turns", async () => {
  const { bus } = open();
  const order: string[] = [];
  const shards = ["s1", "s2"].map((shard) => subjects.command("restore", shard));
  for (const shard of shards) for (let i = 0; i < 3; i++) await bus.publish(shard, restore(`${i}`));
  const note: Handler<RestoreSeen> = async (_, { subject }) => void order.push(subject.slice(-2));
  const { consumption } = await consumeShard(bus, "s1", note, { subjects: shards, concurrency: 1 });
  await using _running = consumption;
  await bus.idle();
  expect(order).toEqual(["s1", "s2", "s1", "s2", "s1", "s2"]);
});

const anything = z.object({});

const letter = (text: string): Parameters<MemoryBroker["store"]>[0] => ({
  subject: subjects.deadLetter("x"),
  data: bytes(text),
  headers: {},
});

async function lettersOf(bus: Bus): Promise<string[]> {
  const texts: string[] = [];
  for await (const { body } of bus.deadLetters.list()) texts.push(body);
  return texts;
}
