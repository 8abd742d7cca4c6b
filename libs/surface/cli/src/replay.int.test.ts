import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./testing/run-command.ts";
import { runLine } from "./testing/run-line.ts";

let dir: string;

const microremed = (...args: string[]) => runLine(dir, ...args);

const run = [
  "run",
  "--env",
  "simple-micro",
  "--experiment-path",
  "two.txt",
  "--arenas",
  "2",
  "--time-scale",
  "200",
  "--range",
  "in-process",
];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-replay-"));
  await writeFile(join(dir, "two.txt"), "pod-fail\ncpu-stress\n");
  const recorded = ["--model", "reference/runbook", "--save-path", "saved"];
  const { code, stderr } = await runCommand(dir, ...run, ...recorded);
  if (code !== 0) throw new Error(stderr);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

test("an experiment served from a cassette says what it said, and costs the same tokens", async () => {
  const again = ["--cassette", "saved", "--save-path", "again", "--output", "json"];
  const { code, stdout, stderr } = await microremed(...run, "--model", "reference/runbook", ...again);
  expect(stderr).not.toContain("error");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).episodes).toHaveLength(2);
  for (const name of (await readdir(join(dir, "saved"))).filter((file) => file.endsWith(".json"))) {
    const [then, now] = await Promise.all(
      ["saved", "again"].map(async (where) => JSON.parse(await readFile(join(dir, where, name), "utf8"))),
    );
    expect(now.outcome).toBe(then.outcome);
    expect(now.metadata.tokens).toBe(then.metadata.tokens);
    const answers = now.conversation.filter(({ role }: { role: string }) => role === "assistant");
    expect(
      answers.every(({ exchange }: { exchange: { milliseconds: number } }) => exchange.milliseconds === 0),
    ).toBe(true);
  }
});

test("a model that is not on the cassette is refused, and those that are on it are named", async () => {
  const other = ["--model", "some-model", "--cassette", "saved", "--output", "json"];
  const { code, stderr } = await microremed(...run, ...other);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /model: no answer of the model "some-model" is on the cassette.*"reference\/runbook"/,
  );
});

test("a stored episode is replayed on a fresh arena, shown and exported", async () => {
  const [saved = ""] = await readdir(join(dir, "saved"));
  const file = join("saved", saved);
  const replayed = await microremed("replay", file, "--range", "in-process", "--output", "json");
  expect(JSON.parse(replayed.stdout)).toMatchObject({
    same: true,
    recorded: "remediated",
    replayed: "remediated",
  });
  expect(replayed.code).toBe(0);

  expect((await microremed("show", file)).stdout).toContain("strict verdict: recovered");
  expect((await microremed("show", file, "--html")).stdout).toMatch(/^<!doctype html>/);

  const exportAs = (format: string) => microremed("export", "saved", "--format", format);
  expect((await exportAs("openai-chat")).code).toBe(0);
  expect((await exportAs("sharegpt")).code).toBe(0);
  const again = await exportAs("sharegpt");
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("saved.sharegpt.jsonl exists and is not overwritten");
  expect((await readFile(join(dir, "saved.openai-chat.jsonl"), "utf8")).trim().split("\n")).toHaveLength(2);
  expect(await readFile(join(dir, "saved.sharegpt.jsonl.card.md"), "utf8")).toContain("2 episodes");
});

test("says what is no stored episode", async () => {
  const { code, stderr } = await microremed("show", "two.txt");
  expect(code).toBe(2);
  expect(stderr).toContain("two.txt was not written with --save-path");
});
