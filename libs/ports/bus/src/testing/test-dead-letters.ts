import { subjects } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { bytes, consumeShard, deadLettersOf, restore, type SuiteContext } from "./bus-under-test.ts";

export function testDeadLetters({ bus, storeRaw }: SuiteContext): void {
  test("a dead letter can be read, retried and dropped by its number", async () => {
    let isBroken = true;
    const seen: string[] = [];
    const { subject, consumption } = await consumeShard(bus(), "letters", async ({ episodeId }) => {
      if (isBroken) throw terminal("unknown-failure", "not today");
      seen.push(episodeId);
    });
    await using _running = consumption;
    const mine = () => deadLettersOf(bus(), subject);
    for (const name of ["one", "two"])
      await bus().publish(subject, restore(name), { msgId: `letters/${name}` });
    await expect.poll(async () => (await mine()).length).toBe(2);
    isBroken = false;
    const [first, second] = await mine();
    if (!first || !second) throw new Error("unreachable");
    expect(await bus().deadLetters.get(first.id)).toEqual(first);
    await bus().deadLetters.retry(first.id);
    await expect.poll(() => seen).toEqual([JSON.parse(first.body).episodeId]);
    expect(await bus().deadLetters.drop(second.id)).toBe(true);
    expect(await bus().deadLetters.drop(second.id)).toBe(false);
    expect(await mine()).toEqual([]);
    const gone = { code: "unknown-dead-letter" };
    await expect(bus().deadLetters.retry(first.id)).rejects.toMatchObject(gone);
    await expect(bus().deadLetters.get(first.id)).rejects.toMatchObject(gone);
  });

  test("a stored message that is not a dead letter is shown with its text, and can be dropped", async () => {
    await storeRaw(subjects.deadLetter("nobody"), bytes("{ not a letter"));
    const [strange] = await deadLettersOf(bus(), subjects.deadLetter("nobody"));
    expect(strange).toMatchObject({
      code: "invalid-message",
      body: "{ not a letter",
      reason: expect.stringContaining("not JSON"),
    });
    await expect(bus().deadLetters.retry(strange?.id ?? 0)).rejects.toMatchObject({
      code: "invalid-request",
    });
    expect(await bus().deadLetters.drop(strange?.id ?? 0)).toBe(true);
  });

  test("lists no more dead letters than were asked for", async () => {
    for (const name of ["one", "two", "three"]) await storeRaw(subjects.deadLetter("many"), bytes(name));
    const listed = async (limit: number) => {
      let count = 0;
      for await (const _ of bus().deadLetters.list({ limit })) count++;
      return count;
    };
    expect(await Promise.all([listed(0), listed(2)])).toEqual([0, 2]);
  });
}
