import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type ComparedTrial, compareEnds, type Ended } from "./outcomes.ts";
import { openResults } from "./results-file.ts";
import { keyOf } from "./trials.ts";

const trial = { fault: "pod-fail", target: "cart", remedy: "undo" };
const ended: Ended = {
  outcome: "remediated",
  clean: true,
  damage: [],
  seconds: 40,
  reason: "every oracle passed",
};
const none = new Map<string, string>();

test("trials agree by outcome, cleanness and damage, not by time; a difference keeps its reasons", () => {
  const slower = { ...ended, seconds: 90, reason: "other words" };
  const { reason: _, ...withoutReason } = ended;
  expect(compareEnds(trial, slower, ended, none)).toEqual({
    ...trial,
    real: { ...withoutReason, seconds: 90 },
    embedded: withoutReason,
    agrees: true,
  });
  for (const other of [
    { ...ended, outcome: "not-remediated" },
    { ...ended, clean: false },
    { ...ended, damage: ["foreign: added Secret"] },
    { ...ended, damage: null },
  ]) {
    const differs = { real: ended, embedded: other, agrees: false };
    expect(compareEnds(trial, ended, other, none)).toEqual({ ...trial, ...differs });
    const explained = new Map([[keyOf(trial), "because"]]);
    expect(compareEnds(trial, ended, other, explained)).toEqual({ ...trial, ...differs, why: "because" });
  }
});

test("a file of outcomes has each trial as soon as it ends, keeps those of earlier runs under the same heading, and drops unknown ones", async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-outcomes-"));
  const path = join(dir, "results", "outcomes.json");
  const heading = { version: "1.31.4", soakSeconds: 0, recoverySeconds: 120 };
  const remediesIn = async (under = heading): Promise<string[]> => {
    const read = JSON.parse(await readFile(path, "utf8"));
    expect(read).toMatchObject(under);
    return read.trials.map(({ remedy }: { readonly remedy: string }) => remedy);
  };
  const one = compareEnds(trial, ended, ended, none);
  const [undo, restart] = [one, { ...one, remedy: "restart" }];
  try {
    const first = await openResults({
      path,
      heading: heading,
      keyOf,
      known: new Set([undo, restart].map(keyOf)),
    });
    await first.add(undo);
    expect(await remediesIn()).toEqual(["undo"]);
    await using earlier = await open(path);
    await first.add(restart);
    expect(await remediesIn()).toEqual(["restart", "undo"]);
    // A reader that has opened it before sees the whole file as it was.
    expect(await earlier.readFile("utf8")).not.toContain("restart");
    expect(await readdir(dirname(path))).toEqual([basename(path)]);
    const second = await openResults<ComparedTrial>({
      path,
      heading: heading,
      keyOf,
      known: new Set([restart].map(keyOf)),
    });
    await second.add({ ...restart, agrees: false });
    expect(await remediesIn()).toEqual(["restart"]);
    await expect(readFile(path, "utf8")).resolves.toContain('"agrees":false');
    const longer = { ...heading, recoverySeconds: 600 };
    const third = await openResults({
      path,
      heading: longer,
      keyOf,
      known: new Set([undo, restart].map(keyOf)),
    });
    await third.add(undo);
    expect(await remediesIn(longer)).toEqual(["undo"]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
