import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { counted } from "@microremed/core";
import { startScriptedServer } from "@microremed/llm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { episodeFile, requestFile } from "./save-episodes.ts";
import { runCommand } from "./testing/run-command.ts";
import { runLine } from "./testing/run-line.ts";

const bin = join(import.meta.dirname, "..", "bin", "microremed.mjs");
const range = ["--range", "in-process", "--arenas", "2"];
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-resume-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const saved = async (name: string): Promise<string[]> => {
  if (!existsSync(join(dir, name))) return [];
  return (await readdir(join(dir, name))).filter((file) => episodeFile.test(file)).sort();
};

/** Runs a command and interrupts it once so many episodes are saved. */
async function interrupted(name: string, count: number, ...args: string[]) {
  const { NATS_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [bin, ...args], { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  await expect.poll(async () => (await saved(name)).length).toBeGreaterThanOrEqual(count);
  child.kill("SIGINT");
  const [stdout, stderr] = await output;
  return { code: await code, stdout, stderr };
}

test("an interrupted run has saved and reports what had ended, and goes on where it stopped", async () => {
  const models = ["--model", "reference/runbook", "--model", "reference/noop"];
  const request = [
    "--env",
    "simple-micro",
    "--experiment-path",
    "easy@1",
    "--experiments",
    "3",
    "--seed",
    "7",
  ];
  const run = ["run", ...request, ...models, "--method", "SoloGen", ...range, "--output", "json"];
  const first = await interrupted("saved", 2, ...run, "--save-path", "saved");
  expect(first.code).toBe(130);
  expect(first.stderr).toContain("microremed run --resume saved");
  const partial = JSON.parse(first.stdout);
  expect(partial.status).toBe("interrupted");
  expect(partial.episodes.length).toBeGreaterThanOrEqual(2);
  expect(partial.episodes.length).toBeLessThan(6);
  expect(await saved("saved")).toHaveLength(partial.episodes.length);

  // An episode that the harness lost is tried again; one with a result is not.
  const [lost = "", kept = ""] = await saved("saved");
  const document = JSON.parse(await readFile(join(dir, "saved", lost), "utf8"));
  await writeFile(join(dir, "saved", lost), JSON.stringify({ ...document, outcome: "harness-error" }));
  const before = await readFile(join(dir, "saved", kept), "utf8");
  // It goes on with the kind of range that it had.
  const resumed = await runCommand(dir, "run", "--resume", "saved", "--arenas", "2", "--output", "json");
  expect(resumed.stderr).toContain(
    `${counted(partial.episodes.length - 1, "episode")} done, ${7 - partial.episodes.length} to be run`,
  );
  expect(resumed.code).toBe(0);
  const whole = JSON.parse(resumed.stdout);
  expect(whole).toMatchObject({
    experimentId: partial.experimentId,
    status: "completed",
    range: "in-process",
  });
  expect(whole.episodes.map(({ index }: { index: number }) => index)).toEqual(
    Array.from({ length: 6 }, (_, i) => i),
  );
  expect(await saved("saved")).toHaveLength(6);
  expect(await readFile(join(dir, "saved", kept), "utf8")).toBe(before);

  // The same as a run that nothing interrupted.
  const straight = JSON.parse((await runCommand(dir, ...run)).stdout);
  const essence = (report: { episodes: Record<string, unknown>[] }) =>
    report.episodes.map(({ index, model, caseId, outcome }) => ({ index, model, caseId, outcome }));
  expect(essence(whole)).toEqual(essence(straight));
  const again = await runCommand(dir, "run", "--resume", "saved", ...range, "--output", "json");
  expect(JSON.parse(again.stdout).episodes).toEqual(whole.episodes);
  expect(again.stderr).toContain("0 to be run");
});

test("a directory with another experiment is not mixed with a new one, and no request goes with --resume", async () => {
  const mixed = await runLine(dir, "run", "--save-path", "saved", "--failure", "cpu-stress", ...range);
  expect(mixed.code).toBe(2);
  expect(mixed.stderr).toMatch(/saved holds the episodes of .*--resume saved/);
  const both = await runLine(dir, "run", "--resume", "saved", "--model", "gpt-4.1");
  expect(both.code).toBe(2);
  expect(both.stderr).toContain("--resume <dir>' cannot be used with option '--model <name>'");
  const nothing = await runLine(dir, "run", "--resume", "nowhere");
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toMatch(/cannot read nowhere: .*\(ENOENT\); --resume takes a directory/);
});

test("a run of nothing but harness errors does not end with 0", async () => {
  await using vendor = await startScriptedServer([{ kind: "body", status: 400, body: "{}" }]);
  await writeFile(join(dir, "models.yaml"), JSON.stringify({ models: { broken: { baseUrl: vendor.url } } }));
  process.env["MICROREMED_MODELS_FILE"] = join(dir, "models.yaml");
  try {
    const run = ["run", "--failure", "cpu-stress", "--target", "time-service", "--model", "broken", ...range];
    const asked = await runCommand(dir, ...run, "--save-path", "broken");
    expect(asked.code).toBe(3);
    expect(asked.stderr).toMatch(/1 of 1 models cannot be used.*\n.*broken.*400.*\[model-refused\]/);
    expect(await readdir(join(dir, "broken"))).toEqual([]);
    const { code, stdout } = await runCommand(dir, ...run, "--no-preflight", "--save-path", "broken");
    expect(stdout).toContain("harness");
    expect(code).toBe(6);
    expect(await readdir(join(dir, "broken"))).toContain(requestFile);
  } finally {
    delete process.env["MICROREMED_MODELS_FILE"];
  }
});
