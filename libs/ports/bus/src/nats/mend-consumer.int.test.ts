import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { streams, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { startNatsServer } from "@microremed/servers";
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { ensureStreams } from "./ensure-streams.ts";
import { openLink } from "./link.ts";
import { dropIfAhead, settleLostMessages } from "./mend-consumer.ts";

test("deliveries of messages that the stream has no more are settled, others are left alone", async () => {
  await using server = await startNatsServer();
  const link = await openLink({ servers: server.url, name: "test", log: silentLogger });
  const manager = await jetstreamManager(link.connection);
  const client = jetstream(link.connection);
  await ensureStreams(manager);
  const stream = streams.executor.name;
  const subject = subjects.command("act", "c1");
  for (const body of ["1", "2", "3", "4"]) await client.publish(subject, body);
  await manager.consumers.add(stream, {
    durable_name: "d",
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    max_ack_pending: 3,
  });
  const consumer = await client.consumers.get(stream, "d");
  const deliveries = await consumer.fetch({ max_messages: 3, expires: 2_000 });
  for await (const { seq } of deliveries) if (seq === 3) break;
  const pending = async () => (await manager.consumers.info(stream, "d")).num_ack_pending;
  const deps = { link, manager, log: silentLogger };

  await expect(settleLostMessages(deps, stream, "d", 0)).resolves.toBe(0);
  expect(await pending()).toBe(3);
  await manager.streams.deleteMessage(stream, 1);
  await manager.streams.deleteMessage(stream, 2);
  // It may have been settled just now.
  await settleLostMessages(deps, stream, "d", undefined);
  await settleLostMessages(deps, stream, "d", 0);
  expect(await pending()).toBe(1);
  await expect(consumer.next({ expires: 2_000 })).resolves.toMatchObject({ seq: 4 });
  await link.connection.close();
});

test("a consumer that is ahead of a stream which has lost messages is dropped, others are not", async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-ahead-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const stream = streams.executor.name;
  const subject = subjects.command("act", "c1");
  const messages = join(dir, "nats/jetstream/jetstream/$G/streams", stream, "msgs");
  const kept = join(dir, "kept");
  const during = async (
    work: (open: Awaited<ReturnType<typeof openAll>>) => Promise<void>,
  ): Promise<void> => {
    await using server = await startNatsServer({ dir: join(dir, "nats") });
    const open = await openAll(server.url);
    await work(open);
    await open.link.connection.close();
  };
  await during(async ({ manager, client }) => {
    await ensureStreams(manager);
    await client.publish(subject, "1");
  });
  await cp(messages, kept, { recursive: true });
  await during(async ({ link, manager, client }) => {
    await manager.consumers.add(stream, { durable_name: "d", ack_policy: AckPolicy.Explicit });
    for (const body of ["2", "3"]) await client.publish(subject, body);
    const deliveries = await (await client.consumers.get(stream, "d")).fetch({
      max_messages: 3,
      expires: 2_000,
    });
    for await (const message of deliveries) if (message.seq > 1) message.ack();
    await expect(dropIfAhead({ link, manager, log: silentLogger }, stream, "d")).resolves.toBe(false);
  });
  await rm(messages, { recursive: true });
  await cp(kept, messages, { recursive: true });
  await during(async ({ link, manager }) => {
    await expect(dropIfAhead({ link, manager, log: silentLogger }, stream, "d")).resolves.toBe(true);
    await expect(manager.consumers.info(stream, "d")).rejects.toThrow("not found");
  });
});

async function openAll(servers: string) {
  const link = await openLink({ servers, name: "test", log: silentLogger });
  return { link, manager: await jetstreamManager(link.connection), client: jetstream(link.connection) };
}
