import { setTimeout as delay } from "node:timers/promises";
import { terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { consumeShard, deadLettersOf, restore, type SuiteContext } from "./bus-under-test.ts";

export function testSharing({ bus, connect }: SuiteContext): void {
  test("replicas share the messages of one durable; work past the ack deadline is not done twice", async () => {
    await using other = await connect();
    const ackWaitMs = 400;
    const seen: string[] = [];
    const of = (replica: string) => async (body: { episodeId: string }) => {
      seen.push(`${replica} ${body.episodeId}`);
      await delay(3 * ackWaitMs);
    };
    const options = { concurrency: 1, ackWaitMs };
    const one = await consumeShard(bus(), "d", of("one"), options);
    const two = await consumeShard(other, "d", of("two"), options);
    await using _one = one.consumption;
    await using _two = two.consumption;
    await Promise.all(["d1", "d2"].map((name) => bus().publish(one.subject, restore(name))));
    await expect.poll(() => bus().waitingSubjects("COMMANDS_INJECTOR", one.subject)).toEqual([]);
    expect(seen.map((line) => line.split(" ")[0]).toSorted()).toEqual(["one", "two"]);
    expect(seen.map((line) => line.split(" ")[1]).toSorted()).toEqual(["ep-d1.0001", "ep-d2.0001"]);
  });

  test("handles no more of a subject at once than all replicas together may", async () => {
    await using other = await connect();
    let running = 0;
    let most = 0;
    let handled = 0;
    const handler = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await delay(30);
      running--;
      handled++;
    };
    const bounded = { concurrency: 4, maxInFlight: 2 };
    const first = await consumeShard(bus(), "bounded", handler, bounded);
    const second = await consumeShard(other, "bounded", handler, bounded);
    await using _first = first.consumption;
    await using _second = second.consumption;
    await Promise.all(Array.from({ length: 8 }, (_, i) => bus().publish(first.subject, restore(`b${i}`))));
    await expect.poll(() => handled).toBe(8);
    expect(most).toBe(2);
  });

  test("a message whose consumer has lost its bus goes to another one after its ack deadline", async () => {
    const lost = await connect();
    const begun = Promise.withResolvers<string>();
    const options = { ackWaitMs: 500, concurrency: 1 };
    const gate = Promise.withResolvers<void>();
    const { subject } = await consumeShard(
      lost,
      "lost",
      (_, { messageId }) => {
        begun.resolve(messageId);
        return gate.promise;
      },
      options,
    );
    await bus().publish(subject, restore("lost"));
    const messageId = await begun.promise;
    const seen: [number, string][] = [];
    const other = await consumeShard(
      bus(),
      "lost",
      async (_, context) => void seen.push([context.attempt, context.messageId]),
      options,
    );
    await using _other = other.consumption;
    await lost[Symbol.asyncDispose]();
    // What its handler made of the message is not heard any more.
    gate.resolve();
    await expect.poll(() => seen).toEqual([[2, messageId]]);
  });

  test("a consumption that is disposed takes nothing new and finishes what it has begun", async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const attempts: number[] = [];
    const { subject, consumption } = await consumeShard(
      bus(),
      "ending",
      async (_, { attempt, signal }) => {
        begun.resolve();
        await gate.promise;
        if (!signal.aborted) attempts.push(attempt);
      },
      { concurrency: 1 },
    );
    for (const name of ["begun", "left"]) await bus().publish(subject, restore(name));
    await begun.promise;
    const ending = consumption[Symbol.asyncDispose]();
    gate.resolve();
    await ending;
    expect(attempts).toEqual([1]);
    const stream = (await bus().queues()).find((queue) => queue.stream === "COMMANDS_INJECTOR");
    const left = stream?.consumers.find((consumer) => consumer.subject === subject);
    expect(left).toMatchObject({ waiting: 1, unacknowledged: 0 });
  });

  test("a handler that only waits lets go as soon as its consumption is disposed, and another one goes on", async () => {
    const begun = Promise.withResolvers<void>();
    const first = await consumeShard(bus(), "waiting", (_, { stopping }) => {
      begun.resolve();
      return delay(600_000, undefined, { signal: stopping });
    });
    await bus().publish(first.subject, restore("waiting"));
    await begun.promise;
    const attempts: number[] = [];
    const second = await consumeShard(bus(), "waiting", async (_, { attempt, signal }) => {
      if (!signal.aborted) attempts.push(attempt);
    });
    await using _second = second.consumption;
    await first.consumption[Symbol.asyncDispose]();
    await expect.poll(() => attempts).toEqual([2]);
    expect(await deadLettersOf(bus(), first.subject)).toEqual([]);
  });

  test("what fails while its service is stopping is a failure still", async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { subject, consumption } = await consumeShard(bus(), "failing", async () => {
      begun.resolve();
      await gate.promise;
      throw terminal("internal", "broken");
    });
    await bus().publish(subject, restore("failing"));
    await begun.promise;
    const ending = consumption[Symbol.asyncDispose]();
    gate.resolve();
    await ending;
    expect(await deadLettersOf(bus(), subject)).toMatchObject([{ code: "internal" }]);
  });

  test("a bus that is interrupted lets go of its messages, and another consumer has them at once", async () => {
    const interrupt = new AbortController();
    const begun = Promise.withResolvers<void>();
    await using leaving = await connect({ interrupt: interrupt.signal });
    const first = await consumeShard(leaving, "interrupted", (_, { signal }) => {
      begun.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    await bus().publish(first.subject, restore("interrupted"));
    await begun.promise;
    const attempts: number[] = [];
    const second = await consumeShard(bus(), "interrupted", async (_, { attempt }) => {
      attempts.push(attempt);
    });
    await using _second = second.consumption;
    const ending = first.consumption[Symbol.asyncDispose]();
    interrupt.abort(new Error("stop"));
    await ending;
    await expect.poll(() => attempts).toEqual([2]);
  });
}
