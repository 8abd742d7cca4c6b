import { streams, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { startNatsServer } from "@microremed/servers";
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { ensureStreams } from "./ensure-streams.ts";
import { openLink } from "./link.ts";
import { settleGhosts } from "./settle-ghosts.ts";

test("deliveries of messages that the stream has no more are settled, others are left alone", async () => {
  await using server = await startNatsServer();
  const link = await openLink({ servers: server.url, name: "test", log: silentLogger });
  const manager = await jetstreamManager(link.connection);
  const client = jetstream(link.connection);
  await ensureStreams(manager);
  const stream = streams.executor.name;
  const subject = subjects.command("execute", "c1");
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

  await expect(settleGhosts(deps, stream, "d", 0)).resolves.toBe(0);
  expect(await pending()).toBe(3);
  await manager.streams.deleteMessage(stream, 1);
  await manager.streams.deleteMessage(stream, 2);
  // It may have been settled just now.
  await settleGhosts(deps, stream, "d", undefined);
  await settleGhosts(deps, stream, "d", 0);
  expect(await pending()).toBe(1);
  await expect(consumer.next({ expires: 2_000 })).resolves.toMatchObject({ seq: 4 });
  await link.connection.close();
}, 20_000);
