import { setTimeout as delay } from "node:timers/promises";
import { type RangeEvent, type Stage, streams, subjects } from "@microremed/contracts";
import { connect } from "@nats-io/transport-node";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { type Range, startRange } from "./testing/range.ts";

const request = { environment: "shop", model: "reference/noop" };
const mebibyte = 2 ** 20;

/** Hours pass for the schedulers, which check the current stages all the while. */
async function letHoursPass(range: Range, hours: number): Promise<void> {
  for (let minutes = 0; minutes < hours * 60; minutes += 10) {
    range.skip(10 * 60_000);
    await delay(2_600);
  }
}

async function queued(range: Range): Promise<{ messages: number; bytes: number }> {
  const queues = (await range.bus.queues()).filter(({ stream }) => stream !== "EVENTS");
  return {
    messages: queues.reduce((sum, queue) => sum + queue.messages, 0),
    bytes: queues.reduce((sum, queue) => sum + queue.bytes, 0),
  };
}

async function memoryOf(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
}

function outcomes(events: readonly RangeEvent[]): string[] {
  return events.flatMap((event) => (event.type === "episode-finished" ? [event.outcome] : []));
}

test.each<Stage>(["solve", "act", "prepare"])(
  "every service that does %s is stopped for six hours: what waits is limited and reported, and continues afterwards",
  async (stage) => {
    await using range = await startRange();
    await Promise.all([range.addScheduler(), range.addScheduler()]);
    await range.stop(stage);
    await range.bus.submit({ ...request, id: "stopped", failures: { random: 60 } });
    await expect
      .poll(async () => (await range.state.arenas.list()).filter(({ episode }) => episode !== null).length)
      .toBe(6);
    await letHoursPass(range, 6);

    // A command for each of the six arenas, and those that were sent again before it was clear that no service takes them.
    const { messages } = await queued(range);
    expect(messages).toBeGreaterThanOrEqual(6);
    expect(messages).toBeLessThanOrEqual(18);
    expect(await range.state.outbox.size()).toBe(0);
    const held = (await range.episodes("stopped")).filter(({ arena }) => arena !== null);
    expect(held.map(({ trial, error }) => [trial, error])).toEqual(Array(6).fill([1, null]));

    await range.start(stage);
    const events = await range.untilFinished("stopped");
    expect(outcomes(events)).toEqual(Array(60).fill("remediated"));
    const waits = events.filter(
      (event) => event.type === "episode-advanced" && event.note.includes("it waits"),
    );
    expect(waits.length).toBeGreaterThan(0);
    expect((await range.episodes("stopped")).map(({ trial }) => trial)).toEqual(Array(60).fill(1));
    expect(new Set(range.commands).size).toBe(range.commands.length);
    expect(range.commands).toHaveLength(60 * 6);
    await expect.poll(async () => (await queued(range)).messages).toBe(0);
  },
  180_000,
);

test("millions of episodes submitted while no service runs: Redis and NATS hold what a few thousand take", async () => {
  await using range = await startRange();
  await range.addScheduler();
  const stages: Stage[] = ["prepare", "inject", "solve", "act", "grade", "restore"];
  await Promise.all(stages.map((stage) => range.stop(stage)));
  const redis = new Redis(range.redisUrl);
  await using _ = { [Symbol.asyncDispose]: async () => void (await redis.quit()) };
  const before = await memoryOf(redis);
  for (let i = 0; i < 5; i++) {
    const reply = await range.bus.submit({ ...request, id: `huge-${i}`, failures: { random: 1_000_000 } });
    expect(reply).toMatchObject({ status: "accepted", episodes: 1_000_000 });
  }
  await letHoursPass(range, 2);
  const taken = (await memoryOf(redis)) - before;
  const { bytes } = await queued(range);
  expect(taken).toBeLessThan(32 * mebibyte);
  expect(bytes).toBeLessThan(mebibyte);
}, 180_000);

test("requests that arrive while no scheduler runs wait up to the stream's bound, then are refused; none that was taken is lost", async () => {
  await using range = await startRange();
  const connection = await connect({ servers: range.natsUrl });
  await using _ = { [Symbol.asyncDispose]: () => connection.close() };
  let stored = 0;
  let refusal = "";
  for (const padding of [800_000, 20_000]) {
    for (refusal = ""; refusal === "" && stored < 2_000; ) {
      const body = { ...request, id: `late-${stored}`, failures: ["cpu-stress"] };
      const text = JSON.stringify(body) + " ".repeat(padding);
      const answer = await connection.request(subjects.submit, text, { timeout: 10_000 });
      refusal = answer.json<{ error?: { description: string } }>().error?.description ?? "";
      if (refusal === "") stored++;
    }
  }
  expect(refusal).toContain("maximum bytes exceeded");
  expect(stored).toBeGreaterThan(200);
  const queue = (await range.bus.queues()).find(({ stream }) => stream === streams.experiments.name);
  expect(queue?.messages).toBe(stored);
  await expect(
    range.bus.submit({ ...request, id: "more", playbook: "x".repeat(200_000) }),
  ).rejects.toMatchObject({
    code: "bus-unreachable",
    message: expect.stringContaining("maximum bytes exceeded"),
  });

  await range.addScheduler();
  await expect.poll(async () => (await range.state.experiments.list(1_000)).length).toBe(stored);
  await expect.poll(async () => range.state.experiments.running()).toEqual([]);
}, 240_000);
