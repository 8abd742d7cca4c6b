import { subjects } from "@microremed/contracts";
import { AppError, retryable, terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { maxDeliveries } from "../ack-table.ts";
import { bytes, consumeShard, deadLettersOf, restore, type SuiteContext } from "./bus-under-test.ts";

export function testSettling({ bus, storeRaw }: SuiteContext): void {
  test("that Redis or NATS is away counts as no delivery: the message is handled when they are back", async () => {
    const deliveries: number[] = [];
    const { subject, consumption } = await consumeShard(bus(), "away", async (_, context) => {
      deliveries.push(context.attempt);
      if (deliveries.length < 3) throw retryable("state-unreachable", "no connection");
    });
    await using _running = consumption;
    await bus().publish(subject, restore("away"));
    await expect.poll(() => deliveries).toEqual([1, 1, 1]);
  });

  test("delivers again after a retryable error, and not after a terminal one, which makes a dead letter", async () => {
    const deliveries: number[] = [];
    const { subject, consumption } = await consumeShard(bus(), "b", async (body, context) => {
      if (body.episodeId === "ep-bad.0001") throw terminal("unknown-failure", "no such failure");
      deliveries.push(context.attempt);
      if (context.attempt < 3) throw retryable("cluster-unreachable", "no answer");
    });
    await using _running = consumption;
    await bus().publish(subject, restore("ok"));
    await bus().publish(subject, restore("bad"));
    await expect.poll(() => deliveries).toEqual([1, 2, 3]);
    await expect.poll(async () => (await deadLettersOf(bus(), subject)).length).toBe(1);
    expect(await deadLettersOf(bus(), subject)).toEqual([
      expect.objectContaining({
        subject,
        service: "tester",
        code: "unknown-failure",
        reason: "no such failure",
        deliveries: 1,
        body: JSON.stringify(restore("bad")),
        cut: false,
      }),
    ]);
  });

  test("an unexpected error is tried again", async () => {
    const deliveries: number[] = [];
    const { subject, consumption } = await consumeShard(bus(), "unforeseen", async (_, { attempt }) => {
      deliveries.push(attempt);
      if (attempt === 1) throw new TypeError("x is undefined");
    });
    await using _running = consumption;
    await bus().publish(subject, restore("unforeseen"));
    await expect.poll(() => deliveries).toEqual([1, 2]);
    await expect.poll(() => bus().waitingSubjects("COMMANDS_INJECTOR", subject)).toEqual([]);
    expect(await deadLettersOf(bus(), subject)).toEqual([]);
  });

  test("what fails on its last delivery is a dead letter", async () => {
    const later = { severity: "retryable", retryAfterMs: 1 } as const;
    const attempts: number[] = [];
    const { subject, consumption } = await consumeShard(bus(), "stubborn", async (_, { attempt }) => {
      attempts.push(attempt);
      throw new AppError("model-overloaded", "come back later", later);
    });
    await using _running = consumption;
    await bus().publish(subject, restore("stubborn"));
    await expect.poll(async () => (await deadLettersOf(bus(), subject)).length).toBe(1);
    expect(attempts).toEqual(Array.from({ length: maxDeliveries }, (_, i) => i + 1));
    const [letter] = await deadLettersOf(bus(), subject);
    expect(letter).toMatchObject({ code: "model-overloaded", deliveries: maxDeliveries });
  });

  test("what is not as the schema says is a dead letter, and the next message is handled", async () => {
    const seen: string[] = [];
    const subject = subjects.submit;
    await using _running = await bus().consume(
      {
        stream: "EXPERIMENTS",
        durable: "x",
        subjects: [subject],
        schema: z.object({ environment: z.string() }),
        concurrency: 1,
      },
      async ({ environment }) => void seen.push(environment),
    );
    const before = (await deadLettersOf(bus(), subject)).length;
    const broken = Uint8Array.from([0xff, 0xfe, 0x00]);
    await bus().publish(subject, { environment: 7 });
    for (const poison of [bytes("{ not json"), broken, bytes(""), bytes("null")])
      await storeRaw(subject, poison);
    await bus().publish(subject, { environment: "shop" });
    await expect.poll(() => seen).toEqual(["shop"]);
    const letters = async () => (await deadLettersOf(bus(), subject)).slice(before);
    await expect.poll(async () => (await letters()).length).toBe(5);
    expect((await letters()).map(({ code }) => code)).toEqual(Array(5).fill("invalid-message"));
    expect((await letters())[0]).toMatchObject({
      reason: expect.stringContaining("environment"),
      body: '{"environment":7}',
    });
    expect((await letters())[1]).toMatchObject({ reason: expect.stringContaining("not JSON") });
  });

  test("a message that grows as a part of its dead letter does not come again for ever", async () => {
    const { subject, consumption } = await consumeShard(bus(), "grows", async () => {});
    await using _running = consumption;
    await storeRaw(subject, bytes("\u0001".repeat(1_000_000)));
    await expect.poll(async () => (await deadLettersOf(bus(), subject)).length).toBe(1);
    const [letter] = await deadLettersOf(bus(), subject);
    expect(letter).toMatchObject({ code: "invalid-message", cut: true });
    expect(letter?.body.length).toBeGreaterThan(50_000);
    await expect(bus().deadLetters.retry(letter?.id ?? 0)).rejects.toMatchObject({ code: "invalid-request" });
  });
}
