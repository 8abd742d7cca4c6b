import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentLogger } from "@microremed/core";
import { freePort } from "@microremed/servers";
import { type Stack, startStack } from "@microremed/stack";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../docs/examples/${name}`, import.meta.url));
const withinMs = 120_000;
type Variables = Readonly<Record<string, string>>;
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
async function submit(name: string, request: object, more: Variables) {
  const file = join(dir, "request.json");
  await writeFile(file, JSON.stringify(request));
  const access = { NATS_URL: stack.natsUrl, NATS_USER: stack.natsUser, NATS_PASSWORD: stack.natsPassword };
  const options = { env: { ...access, ...more }, reject: false, timeout: withinMs } as const;
  const ran = await execa("python3", [example(name), file], options);
  const said = ran.stdout.split("\n").map((line) => (line === "" ? {} : (JSON.parse(line) as object)));
  return { said, exitCode: ran.exitCode, stderr: ran.stderr };
}

async function worksAsDocumented(name: string, more: Variables = {}): Promise<void> {
  const request = { environment: "simple-micro", model: "reference/noop", failures: ["none"] };
  const { said, exitCode, stderr } = await submit(name, request, more);
  expect(said[0], stderr).toMatchObject({ status: "accepted", episodes: 1 });
  expect(said.at(-1)).toMatchObject({ status: "completed" });
  expect(exitCode).toBe(0);
  const refused = await submit(name, { ...request, environment: "nowhere" }, more);
  expect(refused).toMatchObject({ exitCode: 2, said: [{ status: "rejected" }] });
}

/** Installs a Python package for the tests alone. `env` is what finds it, or undefined: then `why` says why not. */
async function install(name: string): Promise<{ readonly env?: Variables; readonly why: string }> {
  const options = { reject: false, timeout: withinMs } as const;
  const packages = join(dir, "packages");
  const pip = ["-m", "pip", "install", "-q", "--retries", "0", "--target", packages, name];
  let ended = await execa("python3", pip, options);
  if (ended.exitCode !== 0) {
    // Debian's Python has no pip of its own. A virtual environment brings one, in seconds of computing.
    const venv = join(dir, "venv");
    ended = await execa("python3", ["-m", "venv", venv], options);
    if (ended.exitCode === 0) ended = await execa(join(venv, "bin/python"), pip, options);
  }
  return {
    ...(ended.exitCode === 0 && { env: { PYTHONPATH: packages } }),
    why: ended.stderr || (ended.message ?? ""),
  };
}

test(
  "submit.py takes an experiment to its end with Python alone",
  () => worksAsDocumented("submit.py"),
  2 * withinMs,
);

test("submit.py waits for a port-forward that does not listen yet, and asks again when one ends", async () => {
  const port = await freePort();
  const submission = submit(
    "submit.py",
    { environment: "simple-micro", model: "reference/noop", failures: ["none"] },
    { NATS_URL: `nats://127.0.0.1:${port}` },
  );
  await new Promise((later) => setTimeout(later, 1000));
  const { hostname, port: natsPort } = new URL(stack.natsUrl);
  let connections = 0;
  const forward = createServer((client) => {
    connections += 1;
    // As a port-forward whose pod is gone.
    if (connections === 1) {
      client.destroy();
      return;
    }
    const server = connect(Number(natsPort), hostname);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on("error", () => undefined);
    // The answer to the request, and two pages of its progress.
    let answers = 0;
    server.on("data", (data) => {
      answers += String(data).match(/MSG /g)?.length ?? 0;
      if (connections === 2 && answers >= 3) client.destroy();
    });
  });
  forward.listen(port, "127.0.0.1");
  try {
    const { said, exitCode, stderr } = await submission;
    expect(said.at(-1), stderr).toMatchObject({ status: "completed" });
    expect({ exitCode, connections }).toEqual({ exitCode: 0, connections: 3 });
  } finally {
    forward.close();
  }
});

test(
  "submit_nats_py.py does the same with nats-py",
  async ({ skip }) => {
    const { env, why } = await install("nats-py");
    skip(env === undefined, `nats-py cannot be had: ${why}`);
    await worksAsDocumented("submit_nats_py.py", env);
  },
  5 * withinMs,
);
