import { streams, subjects } from "@microremed/contracts";
import { retryable, silentLogger, terminal } from "@microremed/core";
import { type RunningServer, startNatsServer } from "@microremed/servers";
import { connect as connectRaw } from "@nats-io/transport-node";
import { trace } from "@opentelemetry/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Bus, Handler } from "../bus.ts";
import type { StoredDeadLetter } from "../dead-letters.ts";
import { connectNatsBus } from "./connect-nats-bus.ts";

let server: RunningServer;
let bus: Bus;

const connect = (to: RunningServer): Promise<Bus> =>
  connectNatsBus({ servers: to.url, name: "test", user: "range", password: "secret", log: silentLogger });

beforeAll(async () => {
  server = await startNatsServer({ user: "range", password: "secret" });
  bus = await connect(server);
  await bus.ensureStreams();
});

afterAll(async () => {
  await bus[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const Restore = z.strictObject({ episodeId: z.string() }).loose();
const restore = (name: string) => ({
  experimentId: "exp-1",
  episodeId: `ep-${name}.0001`,
  trial: 1,
  attempt: 0,
  arena: { cluster: "c1", slot: 0, namespace: "shop", fence: 1 },
  environment: "online-boutique",
  failure: "cpu-stress",
  target: "cartservice",
  timeoutSeconds: 10,
});

/** Consumes restore commands of a shard of the test's own and notes what was delivered. */
async function consumeShard(shard: string, handler: Handler<{ episodeId: string }>, ackWaitMs = 30_000) {
  const subject = subjects.command("restore", shard);
  const consumption = await bus.consume(
    {
      stream: streams.injector.name,
      durable: "tester",
      subjects: [subject],
      schema: Restore,
      concurrency: 2,
      ackWaitMs,
    },
    handler,
  );
  return { subject, consumption };
}

async function deadLetters(): Promise<StoredDeadLetter[]> {
  const letters: StoredDeadLetter[] = [];
  for await (const letter of bus.deadLetters.list()) letters.push(letter);
  return letters;
}

test("creates the streams any number of times, from several processes at once", async () => {
  await using other = await connect(server);
  await Promise.all([bus.ensureStreams(), other.ensureStreams(), bus.ensureStreams()]);
});

test("delivers what is published, once per message id, and passes trace and headers on", async () => {
  const seen: { episode: string; trace: string | undefined; header: string | undefined }[] = [];
  const { subject, consumption } = await consumeShard("a", async (body, context) => {
    seen.push({
      episode: body.episodeId,
      trace: trace.getActiveSpan()?.spanContext().traceId,
      header: context.headers["x-note"],
    });
  });
  await using _running = consumption;
  const headers = { traceparent: `00-${"c".repeat(32)}-${"d".repeat(16)}-01`, "X-Note": "kept" };
  for (let i = 0; i < 3; i++) await bus.publish(subject, restore("a"), { msgId: "a/1", headers });
  await bus.publish(subject, restore("b"), { msgId: "a/2" });
  await expect.poll(() => seen.length).toBe(2);
  expect(seen[0]).toEqual({ episode: "ep-a.0001", trace: "c".repeat(32), header: "kept" });
});

test("refuses to publish what the subject's schema does not allow", async () => {
  const wrong = bus.publish(subjects.command("restore", "x"), { ...restore("a"), trial: 0, color: "red" });
  await expect(wrong).rejects.toMatchObject({
    code: "invalid-message",
    message: expect.stringContaining("trial"),
  });
});

test("that Redis or NATS is away counts as no delivery: the message is handled when they are back", async () => {
  const deliveries: number[] = [];
  const { subject, consumption } = await consumeShard("away", async (_, context) => {
    deliveries.push(context.attempt);
    if (deliveries.length < 4) throw retryable("state-unreachable", "no connection");
  });
  await using _running = consumption;
  await bus.publish(subject, restore("away"));
  await expect.poll(() => deliveries).toEqual([1, 1, 1, 1]);
});

test("delivers again after a retryable error, and buries after a terminal one with its reason", async () => {
  const deliveries: number[] = [];
  const { subject, consumption } = await consumeShard("b", async (body, context) => {
    if (body.episodeId === "ep-bad.0001") throw terminal("unknown-failure", "no such failure");
    deliveries.push(context.attempt);
    if (context.attempt < 3) throw retryable("cluster-unreachable", "no answer");
  });
  await using _running = consumption;
  await bus.publish(subject, restore("ok"));
  await bus.publish(subject, restore("bad"));
  await expect.poll(() => deliveries).toEqual([1, 2, 3]);
  await expect.poll(async () => (await deadLetters()).length).toBe(1);
  const [letter] = await deadLetters();
  expect(letter).toMatchObject({
    subject,
    service: "tester",
    code: "unknown-failure",
    reason: "no such failure",
    deliveries: 1,
    body: JSON.stringify(restore("bad")),
  });
});

test("what lies among the dead letters and is none is shown with its text, and can be dropped", async () => {
  const raw = await connectRaw({ servers: server.url, user: "range", pass: "secret" });
  await raw.request(subjects.deadLetter("nobody"), "{ not a letter", { timeout: 5_000 });
  await raw.close();
  const strange = (await deadLetters()).find(({ code }) => code === "invalid-message");
  expect(strange).toMatchObject({ body: "{ not a letter", reason: expect.stringContaining("not JSON") });
  await expect(bus.deadLetters.retry(strange?.id ?? 0)).rejects.toMatchObject({ code: "invalid-request" });
  expect(await bus.deadLetters.drop(strange?.id ?? 0)).toBe(true);
});

test("a dead letter can be read, retried and dropped by its number", async () => {
  let isBroken = true;
  const seen: string[] = [];
  const { subject, consumption } = await consumeShard("letters", async ({ episodeId }) => {
    if (isBroken) throw terminal("unknown-failure", "not today");
    seen.push(episodeId);
  });
  await using _running = consumption;
  const mine = async () => (await deadLetters()).filter((letter) => letter.subject === subject);
  for (const name of ["one", "two"]) await bus.publish(subject, restore(name), { msgId: `letters/${name}` });
  await expect.poll(async () => (await mine()).length).toBe(2);
  isBroken = false;
  const [first, second] = await mine();
  if (!first || !second) throw new Error("unreachable");
  expect(await bus.deadLetters.get(first.id)).toEqual(first);
  await bus.deadLetters.retry(first.id);
  await expect.poll(() => seen).toEqual([JSON.parse(first.body).episodeId]);
  expect(await bus.deadLetters.drop(second.id)).toBe(true);
  expect(await bus.deadLetters.drop(second.id)).toBe(false);
  expect(await mine()).toEqual([]);
  await expect(bus.deadLetters.retry(first.id)).rejects.toMatchObject({ code: "unknown-dead-letter" });
});

test("buries a message that is not what the schema says and goes on with the next", async () => {
  const seen: string[] = [];
  const options = { stream: "EXPERIMENTS", durable: "x", subjects: [subjects.submit], concurrency: 1 };
  await using _running = await bus.consume(
    { ...options, schema: z.object({ environment: z.string() }) },
    async ({ environment }) => void seen.push(environment),
  );
  const before = (await deadLetters()).length;
  await bus.publish(subjects.submit, { environment: 7 });
  await bus.publish(subjects.submit, { environment: "shop" });
  await expect.poll(() => seen).toEqual(["shop"]);
  await expect.poll(async () => (await deadLetters()).length).toBe(before + 1);
  expect((await deadLetters()).at(-1)).toMatchObject({
    code: "invalid-message",
    reason: expect.stringContaining("environment"),
    body: '{"environment":7}',
  });
});

test("keeps long work alive past the ack deadline and shares messages between replicas", async () => {
  await using other = await connect(server);
  const subject = subjects.command("restore", "d");
  const seen: string[] = [];
  const options = {
    stream: streams.injector.name,
    durable: "tester",
    subjects: [subject],
    schema: Restore,
    concurrency: 1,
    ackWaitMs: 600,
  };
  const handler: Handler<{ episodeId: string }> = async (body) => {
    seen.push(body.episodeId);
    await new Promise((resolve) => setTimeout(resolve, 1500));
  };
  await using _one = await bus.consume(options, handler);
  await using _two = await other.consume(options, handler);
  await Promise.all(["d1", "d2"].map((name) => bus.publish(subject, restore(name))));
  await expect.poll(() => seen.length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 1600));
  expect(seen.toSorted()).toEqual(["ep-d1.0001", "ep-d2.0001"]);
});

test("asks and answers, and says which service is missing", async () => {
  const Question = z.object({ n: z.int() });
  await using _served = await bus.serve("microremed.rpc.double", "workers", Question, async ({ n }) => {
    if (n === 13) throw terminal("unknown-experiment", "no 13 here", { n });
    return { twice: 2 * n };
  });
  const Answer = z.strictObject({ twice: z.int() });
  const ask = (subject: string, body: unknown) =>
    bus.request(subject, body, { schema: Answer, timeoutMs: 2000 });
  expect(await ask("microremed.rpc.double", { n: 21 })).toEqual({ twice: 42 });
  await expect(ask("microremed.rpc.double", { n: 13 })).rejects.toMatchObject({
    code: "unknown-experiment",
    severity: "terminal",
  });
  await expect(ask("microremed.rpc.double", { n: "x" })).rejects.toMatchObject({ code: "invalid-message" });
  await expect(ask("microremed.rpc.nobody", {})).rejects.toMatchObject({ code: "bus-unreachable" });
});

test("reads an experiment's events from the first on, then live, and nobody else's", async () => {
  const event = (experimentId: string) => ({
    experimentId,
    at: 1,
    type: "experiment-finished",
    status: "completed",
  });
  const publish = (id: string) => bus.publish(subjects.event(id, "-", "experiment-finished"), event(id));
  await publish("exp-read");
  await publish("exp-other");
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { experimentId } of bus.readEvents("exp-read", { signal: stop.signal })) {
      seen.push(experimentId);
    }
  })();
  await expect.poll(() => seen).toEqual(["exp-read"]);
  await publish("exp-read");
  await expect.poll(() => seen).toEqual(["exp-read", "exp-read"]);
  stop.abort();
  await reading;
  const stored = async (id: string) => {
    let count = 0;
    const options = { signal: new AbortController().signal, follow: false };
    for await (const _ of bus.readEvents(id, options)) count++;
    return count;
  };
  expect(await Promise.all([stored("exp-read"), stored("exp-nobody")])).toEqual([2, 0]);
});

test("tells what waits for each consumer and what is being worked on", async () => {
  const work = Promise.withResolvers<void>();
  const { subject, consumption } = await consumeShard("q", () => work.promise);
  await using _running = consumption;
  for (let i = 0; i < 5; i++) await bus.publish(subject, restore(`q${i}`));
  const queue = async () => {
    const stream = (await bus.queues()).find(({ stream }) => stream === streams.injector.name);
    return stream?.consumers.find(({ name }) => name === "tester-commands_restore_q");
  };
  const name = "tester-commands_restore_q";
  await expect.poll(queue).toEqual({ name, subject, waiting: 3, deliveries: 2, unacknowledged: 2 });
  work.resolve();
  await expect.poll(queue).toMatchObject({ waiting: 0, unacknowledged: 0 });
});

test("submits and gets the scheduler's answer in its inbox", async () => {
  await using _scheduler = await bus.consume(
    {
      stream: "EXPERIMENTS",
      durable: "x",
      subjects: [subjects.submit],
      schema: z.string(),
      format: "text",
      concurrency: 1,
    },
    async (_text, context) => context.reply?.({ status: "accepted", experimentId: "exp-9", episodes: 3 }),
  );
  const reply = await bus.submit(
    { environment: "simple-micro", model: "reference/noop" },
    { timeoutMs: 5000 },
  );
  expect(reply).toEqual({ status: "accepted", experimentId: "exp-9", episodes: 3 });
});

test("goes on after the server was killed and came back with its files", async () => {
  let second = await startNatsServer({ dir: `${server.dir}/second`, user: "range", password: "secret" });
  await using client = await connect(second);
  await client.ensureStreams();
  const seen: string[] = [];
  const subject = subjects.command("restore", "e");
  await using _running = await client.consume(
    {
      stream: streams.injector.name,
      durable: "tester",
      subjects: [subject],
      schema: Restore,
      concurrency: 1,
    },
    async (body) => void seen.push(body.episodeId),
  );
  await client.publish(subject, restore("before"));
  await expect.poll(() => seen).toEqual(["ep-before.0001"]);

  process.kill(second.pid, "SIGKILL");
  await expect.poll(() => client.connected).toBe(false);
  const published = client.publish(subject, restore("after"));
  second = await startNatsServer({ dir: second.dir, port: second.port, user: "range", password: "secret" });
  await published;
  await expect.poll(() => seen).toEqual(["ep-before.0001", "ep-after.0001"]);
  await second[Symbol.asyncDispose]();
});

test("follows other subjects, and finishes what it has begun of those that are left out", async () => {
  const subjectsOf = (...shards: string[]) => shards.map((shard) => subjects.command("restore", shard));
  const [one = "", two = "", three = ""] = subjectsOf("f1", "f2", "f3");
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const names = { stream: streams.injector.name, durable: "tester", schema: Restore, concurrency: 2 };
  await using consumption = await bus.consume({ ...names, subjects: [one] }, async ({ episodeId }) => {
    begun.resolve();
    if (episodeId === "ep-begun.0001") await gate.promise;
    seen.push(episodeId);
  });
  await bus.publish(one, restore("begun"));
  await begun.promise;
  await consumption.follow([two, three]);
  await bus.publish(one, restore("left"));
  await bus.publish(two, restore("second"));
  await bus.publish(three, restore("third"));
  await expect.poll(() => seen.toSorted()).toEqual(["ep-second.0001", "ep-third.0001"]);
  expect(await bus.waitingSubjects(streams.injector.name, "microremed.commands.restore.f*")).toEqual([]);
  const waiting = await bus.waitingSubjects(streams.injector.name, subjects.commandOfAll("restore"));
  expect(waiting).toContain(one);
  gate.resolve();
  await expect.poll(() => seen).toContain("ep-begun.0001");
  expect(seen).not.toContain("ep-left.0001");
  await consumption.follow([one]);
  await expect.poll(() => seen).toContain("ep-left.0001");
});

test("handles no more of a subject at once than all replicas together may", async () => {
  await using other = await connect(server);
  const subject = subjects.command("restore", "bounded");
  let running = 0;
  let most = 0;
  let handled = 0;
  const handler = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 30));
    running--;
    handled++;
  };
  const options = { stream: streams.injector.name, durable: "tester", subjects: [subject], schema: Restore };
  const bounded = { ...options, concurrency: 4, maxInFlight: 2 };
  await using _first = await bus.consume(bounded, handler);
  await using _second = await other.consume(bounded, handler);
  await Promise.all(Array.from({ length: 8 }, (_, i) => bus.publish(subject, restore(`b${i}`))));
  await expect.poll(() => handled).toBe(8);
  expect(most).toBe(2);
});
