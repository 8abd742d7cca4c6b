import type { Bus } from "@microremed/bus";
import { plannedRecord } from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import { readConversation, readPage } from "./read-pages.ts";

interface Asked {
  readonly from?: number;
  readonly offset?: number;
}

/** A bus on which a scheduler answers. */
const answering = (answer: (asked: Asked) => unknown): Bus =>
  ({ request: async (_: string, asked: Asked) => answer(asked) }) as unknown as Bus;

const experiment = { id: "exp", episodes: 2 };
const record = plannedRecord("exp", aPlannedEpisode());
const text = JSON.stringify(record);
const part = (offset: number, version: number) => ({
  ...{ status: "part", experiment, index: 0, version, length: text.length },
  text: text.slice(offset, offset + 100),
});

test("a large record is put together from its parts", async () => {
  const bus = answering(({ offset = 0 }) => part(offset, 3));
  const page = await readPage(bus, { experimentId: "exp", from: 0, limit: 1 });
  expect(page).toEqual({ experiment, episodes: [record], next: 1 });
});

test("parts of two versions are not mixed: the record is read again", async () => {
  let asked = 0;
  const bus = answering(({ offset = 0 }) => part(offset, ++asked < 3 ? asked : 9));
  expect((await readPage(bus, { experimentId: "exp" })).episodes).toEqual([record]);
});

test("a record that changes all the time, or a part without an end, ends in an error", async () => {
  let version = 0;
  const changing = answering(({ offset = 0 }) => part(offset, ++version));
  await expect(readPage(changing, { experimentId: "exp" })).rejects.toThrow("changes faster");
  const empty = answering(() => ({ ...part(0, 1), text: "" }));
  await expect(readPage(empty, { experimentId: "exp" })).rejects.toThrow("changes faster");
});

test("a conversation is read page by page", async () => {
  const all = ["a", "b", "c"].map((content) => ({ role: "user", content }));
  const bus = answering(({ from = 0 }) => ({
    conversation: all.slice(from, from + 1),
    next: from + 1 < all.length ? from + 1 : null,
  }));
  expect(await readConversation(bus, "exp.0000")).toEqual(all);
});
