import { streams, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { type RunningServer, startNatsServer } from "@microremed/servers";
import { connect as connectRaw } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Bus, BusOptions } from "../bus.ts";
import { restore } from "../testing/bus-under-test.ts";
import { testBus } from "../testing/index.ts";
import { connectNatsBus } from "./index.ts";

const login = { user: "range", password: "secret" };

const connect = (to: RunningServer, options: Partial<BusOptions> = {}): Promise<Bus> =>
  connectNatsBus({ servers: to.url, name: "test", ...login, log: silentLogger, ...options });

testBus("the bus over NATS", async () => {
  const server = await startNatsServer(login);
  const raw = await connectRaw({ servers: server.url, user: login.user, pass: login.password });
  return {
    connect: (options) => connect(server, options),
    storeRaw: async (subject, data) => {
      await raw.request(subject, data);
    },
    [Symbol.asyncDispose]: async () => {
      await raw.close();
      await server[Symbol.asyncDispose]();
    },
  };
});

test("creates the streams any number of times, from several processes at once", async () => {
  await using server = await startNatsServer(login);
  await using bus = await connect(server);
  await using other = await connect(server);
  await Promise.all([bus.ensureStreams(), other.ensureStreams(), bus.ensureStreams()]);
  const names = (await bus.queues()).map(({ stream }) => stream);
  expect(names).toEqual(Object.values(streams).map(({ name }) => name));
});

test("without the right to create them, streams that are missing or different are an error, and stay as they are", async () => {
  await using server = await startNatsServer(login);
  await using bus = await connect(server);
  const wait = () => bus.ensureStreams({ create: false });
  await expect(wait()).rejects.toMatchObject({
    code: "bus-unreachable",
    message: expect.stringMatching(/the stream EXPERIMENTS is not there yet; `microremed streams`/),
  });
  expect(await bus.queues().catch(() => [])).toEqual([]);
  await bus.ensureStreams();
  await wait();
  await expect(bus.ensureStreams({ create: false, replicas: 3 })).rejects.toThrow("is another version's");
});

test("a user that the server refuses, and no user, are named as such", async () => {
  await using server = await startNatsServer(login);
  const wrong = { servers: server.url, name: "test", user: login.user, password: "wrong", log: silentLogger };
  await expect(connectNatsBus(wrong)).rejects.toMatchObject({
    code: "bus-unreachable",
    message: expect.stringMatching(/refuses the user range: check NATS_USER and NATS_PASSWORD/),
  });
  const withoutUser = connectNatsBus({ servers: server.url, name: "test", log: silentLogger });
  await expect(withoutUser).rejects.toThrow(/refuses clients without a user/);
});

test("goes on after the server was killed and came back with its files", async () => {
  await using servers = new AsyncDisposableStack();
  const first = servers.use(await startNatsServer(login));
  const { dir, port, pid } = first;
  await using client = await connect(first);
  await client.ensureStreams();
  const seen: string[] = [];
  const subject = subjects.command("restore", "e");
  await using _running = await client.consume(
    {
      stream: streams.injector.name,
      durable: "tester",
      subjects: [subject],
      schema: z.object({ episodeId: z.string() }),
      concurrency: 1,
    },
    async (body) => void seen.push(body.episodeId),
  );
  await client.publish(subject, restore("before"));
  await expect.poll(() => seen).toEqual(["ep-before.0001"]);

  process.kill(pid, "SIGKILL");
  await expect.poll(() => client.connected).toBe(false);
  const published = client.publish(subject, restore("after"));
  servers.use(await startNatsServer({ dir, port, ...login }));
  await published;
  await expect.poll(() => seen).toEqual(["ep-before.0001", "ep-after.0001"]);
});
