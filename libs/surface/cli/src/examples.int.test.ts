import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentLogger } from "@microremed/core";
import { type Stack, startStack } from "@microremed/stack";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../docs/examples/${name}`, import.meta.url));
const withinMs = 120_000;
let dir: string;
let stack: Stack;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-examples-"));
  stack = await startStack({
    clusters: { environments: ["simple-micro"], count: 1, timeScale: 200, seed: 1 },
    log: silentLogger,
  });
});

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

/** Submits a request by an example; what it printed, line by line, and its exit code. */
async function submit(python: string, name: string, request: object) {
  const file = join(dir, "request.json");
  await writeFile(file, JSON.stringify(request));
  const env = { NATS_URL: stack.natsUrl, NATS_USER: stack.natsUser, NATS_PASSWORD: stack.natsPassword };
  const ran = await execa(python, [example(name), file], { env, reject: false, timeout: withinMs });
  const said = ran.stdout.split("\n").map((line) => (line === "" ? {} : (JSON.parse(line) as object)));
  return { said, exitCode: ran.exitCode, stderr: ran.stderr };
}

async function worksAsDocumented(python: string, name: string): Promise<void> {
  const request = { environment: "simple-micro", model: "reference/noop", failures: ["none"] };
  const { said, exitCode, stderr } = await submit(python, name, request);
  expect(said[0], stderr).toMatchObject({ status: "accepted", episodes: 1 });
  expect(said.at(-1)).toMatchObject({ status: "completed" });
  expect(exitCode).toBe(0);
  const refused = await submit(python, name, { ...request, environment: "nowhere" });
  expect(refused).toMatchObject({ exitCode: 2, said: [{ status: "rejected" }] });
}

test(
  "submit.py takes an experiment to its end with Python alone",
  () => worksAsDocumented("python3", "submit.py"),
  2 * withinMs,
);

test(
  "submit_nats_py.py does the same with nats-py",
  async ({ skip }) => {
    const venv = join(dir, "venv");
    const options = { reject: false, timeout: withinMs } as const;
    const made = await execa("python3", ["-m", "venv", venv], options);
    const installed = await execa(
      join(venv, "bin/python"),
      ["-m", "pip", "install", "-q", "--retries", "0", "nats-py"],
      options,
    );
    skip(
      installed.exitCode !== 0,
      `nats-py cannot be had: ${made.stderr || installed.stderr || installed.message}`,
    );
    await worksAsDocumented(join(venv, "bin/python"), "submit_nats_py.py");
  },
  4 * withinMs,
);
