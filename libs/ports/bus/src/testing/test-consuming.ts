import { streams, subjects } from "@microremed/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { bytes, consumeShard, restore, type SuiteContext } from "./bus-under-test.ts";

export function testConsuming({ bus, storeRaw }: SuiteContext): void {
  test("delivers what was published before anybody consumed, in order", async () => {
    const subject = subjects.command("restore", "early");
    for (const name of ["1", "2", "3"]) await bus().publish(subject, restore(name));
    const seen: string[] = [];
    const handler = async ({ episodeId }: { episodeId: string }) => void seen.push(episodeId);
    const { consumption } = await consumeShard(bus(), "early", handler, { concurrency: 1 });
    await using _running = consumption;
    await expect.poll(() => seen).toEqual(["ep-1.0001", "ep-2.0001", "ep-3.0001"]);
  });

  test("handles as many at once as its concurrency says", async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    let handled = 0;
    const { subject, consumption } = await consumeShard(bus(), "slots", async () => {
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
      handled++;
    });
    await using _running = consumption;
    await Promise.all(Array.from({ length: 6 }, (_, i) => bus().publish(subject, restore(`s${i}`))));
    await expect.poll(() => running).toBe(2);
    gate.resolve();
    await expect.poll(() => handled).toBe(6);
    expect(most).toBe(2);
  });

  test("a wildcard takes what it matches, and no second consumer may take the same", async () => {
    const seen: string[] = [];
    const consume = (durable: string, subject: string) =>
      bus().consume(
        {
          stream: streams.verifier.name,
          durable,
          subjects: [subject],
          schema: z.object({}),
          concurrency: 1,
        },
        async (_, context) => void seen.push(context.subject),
      );
    const of = (shard: string) => subjects.command("grade", shard);
    await using _all = await consume("wild", subjects.commandOfAll("grade"));
    await storeRaw(of("a"), bytes("{}"));
    await storeRaw(of("b"), bytes("{}"));
    await expect.poll(() => seen).toEqual([of("a"), of("b")]);
    for (const rival of [of("a"), subjects.commandOfAll("grade")]) {
      await expect(consume("rival", rival)).rejects.toMatchObject({
        code: "bus-unreachable",
        message: expect.stringContaining("not unique on workqueue stream"),
      });
    }
  });

  test("follows other subjects, and finishes what it has begun of those that are left out", async () => {
    const of = (shard: string) => subjects.command("restore", shard);
    const [one, two, three] = [of("f1"), of("f2"), of("f3")];
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { consumption } = await consumeShard(bus(), "f1", async ({ episodeId }) => {
      begun.resolve();
      if (episodeId === "ep-begun.0001") await gate.promise;
      seen.push(episodeId);
    });
    await using _running = consumption;
    await bus().publish(one, restore("begun"));
    await begun.promise;
    await consumption.follow([two, three]);
    await bus().publish(one, restore("left"));
    await bus().publish(two, restore("second"));
    await bus().publish(three, restore("third"));
    await expect.poll(() => seen.toSorted()).toEqual(["ep-second.0001", "ep-third.0001"]);
    const waiting = (filter: string) => bus().waitingSubjects(streams.injector.name, filter);
    await expect.poll(() => waiting("microremed.commands.restore.f2")).toEqual([]);
    expect(await waiting("microremed.commands.restore.f*")).toEqual([]);
    expect(await waiting(subjects.commandOfAll("restore"))).toContain(one);
    gate.resolve();
    await expect.poll(() => seen).toContain("ep-begun.0001");
    expect(seen).not.toContain("ep-left.0001");
    await consumption.follow([one]);
    await expect.poll(() => seen).toContain("ep-left.0001");
  });

  test("shows what waits for each consumer and what is being worked on", async () => {
    const work = Promise.withResolvers<void>();
    const { subject, consumption } = await consumeShard(bus(), "q", () => work.promise);
    await using _running = consumption;
    for (let i = 0; i < 5; i++) await bus().publish(subject, restore(`q${i}`));
    const name = "tester-commands_restore_q";
    const queue = async () => {
      const stream = (await bus().queues()).find(({ stream }) => stream === streams.injector.name);
      return stream?.consumers.find((consumer) => consumer.name === name);
    };
    await expect.poll(queue).toEqual({ name, subject, waiting: 3, deliveries: 2, unacknowledged: 2 });
    work.resolve();
    await expect.poll(queue).toMatchObject({ waiting: 0, unacknowledged: 0 });
  });
}
