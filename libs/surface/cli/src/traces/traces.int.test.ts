import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../testing/run-command.ts";
import { runLine } from "../testing/run-line.ts";

const args = [
  ...["traces", "build", "--suite", "random@1", "--env", "simple-micro", "--per-case", "2", "--soak", "0"],
  ...["--seed", "3", "--n", "4"],
];

test("the traces are the same bytes with one thread and with two", { timeout: 600_000 }, async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "microremed-traces-"));
  const made = await runCommand(directory.path, ...args, "--out", "one", "--workers", "1");
  expect(made).toMatchObject({ code: 0, stdout: "" });
  expect(made.stderr).toContain("4 traces in one");
  expect((await runCommand(directory.path, ...args, "--out", "two", "--workers", "2")).code).toBe(0);
  const read = (...path: string[]) => readFile(join(directory.path, ...path), "utf8");
  for (const file of [
    "README.md",
    "openai-chat/train.jsonl",
    "sharegpt/train.jsonl",
    "parquet/train.parquet",
  ])
    expect(await read("two", file)).toBe(await read("one", file));
  const lines = (await read("one", "openai-chat/train.jsonl")).trimEnd().split("\n");
  for (const line of lines) {
    const { messages } = JSON.parse(line) as { messages: { role: string }[] };
    expect(messages[0]?.role).toBe("user");
    expect(messages.filter(({ role }) => role === "assistant").length).toBeGreaterThan(2);
  }
});

test("a suite that there is not, and a wrong number, are wrong arguments", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "microremed-traces-"));
  const unknown = await runLine(
    directory.path,
    ...["traces", "build", "--suite", "no-such", "--n", "1", "--out", "x"],
  );
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("no-such") });
  expect((await runLine(directory.path, ...args, "--out", "x", "--per-case", "0")).code).toBe(2);
});
