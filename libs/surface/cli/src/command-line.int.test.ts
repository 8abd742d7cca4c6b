import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./testing/run-command.ts";
import { runLine } from "./testing/run-line.ts";

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-cli-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const microremed = (...args: string[]) => runLine(dir, ...args);

test.each([
  ["an unknown environment", ["run", "--env", "nowhere"], '"online-boutique"'],
  ["an unknown method", ["run", "--remediate-method", "Guess"], '"ThinkRemed"'],
  ["an unknown policy", ["run", "--policy", "lax"], '"guarded"'],
  ["an unknown model", ["run", "--model", "gpt-nope"], "reference/runbook"],
  [
    "a policy without its tools",
    ["run", "--model", "reference/expert", "--model", "reference/noop"],
    'which ThinkRemed does not offer; use "Player"',
  ],
  ["an unknown failure", ["run", "--experiment-path", "sequence.txt"], "cpu-stress"],
  [
    "an unreadable file",
    ["run", "--experiment-path", "missing.txt"],
    "there is no such file, and no suite or failure is called",
  ],
  ["a task in capitals", ["run", "--task", "Detection"], 'did you mean "detection"'],
  ["a budget that is none", ["run", "--budget", "token=3"], '"tokens"'],
  ["a cassette that is not there", ["run", "--cassette", "missing"], "--save-path"],
  ["a cassette without episodes", ["run", "--cassette", "empty"], "--save-path"],
  ["a file that is no episode", ["show", "other.json"], "expected a saved episode: state: "],
  ["a suite without the environment", ["run", "--suite", "range@3", "--env", "shop"], "it has problems on"],
  [
    "a report in two formats",
    ["report", "x", "-o", "json", "--format", "html"],
    "cannot be used with option",
  ],
  ["an episode that is not there", ["show", "/nope"], "there is no such file or folder"],
  ["a slip in a method", ["run", "--agent", "Reakt/reference/expert"], 'did you mean "ReAct"'],
  [
    "a slip in a parameter",
    ["run", "--failure", "cpu-stress", "--parameter", "cpu-stress.wrkers=2"],
    "workers",
  ],
  ["a suite for MCP that is none", ["mcp", "--suite", "nope@1"], "no suite is called"],
  ["a suite for MCP without its version", ["mcp", "--suite", "easy"], 'say which version: "easy@1"'],
  ["a number that is none", ["run", "--seed", "soon"], "whole number"],
  ["an unknown verb", ["frobnicate"], "unknown command"],
  ["a request with wrong fields", ["submit", "-f", "request.yaml"], "colour"],
])("%s gets an error with the correct value, before anything is started", async (_, args, hint) => {
  await writeFile(join(dir, "sequence.txt"), "cpu-stress\nmeteorite\n");
  await writeFile(join(dir, "request.yaml"), "environment: simple-micro\nmodel: m\ncolour: red\n");
  await mkdir(join(dir, "empty"), { recursive: true });
  await writeFile(join(dir, "other.json"), "{}");
  const { code, stdout, stderr } = await microremed(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(hint);
});

test("a gateway that is named without its token, or without its bus, starts no range of the command's own", async () => {
  const { MICROREMED_URL: url, MICROREMED_TOKEN: token } = process.env;
  const line = ["agent", "run", "--sandbox", "none", "--suite", "easy@1", "--", "true"];
  try {
    process.env["MICROREMED_URL"] = "http://127.0.0.1:1";
    delete process.env["MICROREMED_TOKEN"];
    expect((await microremed(...line)).stderr).toContain("MICROREMED_TOKEN is not set");
    expect((await microremed("mcp", "--suite", "easy@1")).stderr).toContain("MICROREMED_TOKEN is not set");
    process.env["MICROREMED_TOKEN"] = "mr_x";
    const lacking = await microremed(...line);
    expect(lacking).toMatchObject({ stdout: "", stderr: expect.stringContaining("set NATS_URL") });
    expect(lacking.code).not.toBe(0);
  } finally {
    Object.assign(process.env, {
      ...(url && { MICROREMED_URL: url }),
      ...(token && { MICROREMED_TOKEN: token }),
    });
    if (url === undefined) delete process.env["MICROREMED_URL"];
    if (token === undefined) delete process.env["MICROREMED_TOKEN"];
  }
});

test("without a range the verbs that need one say how to get one", async () => {
  const { code, stderr } = await microremed("report", "some-experiment");
  expect(code).toBe(3);
  expect(stderr).toContain('"some-experiment" is taken for the id');
  expect(stderr).toContain("microremed up");
});

test("--output json prints exactly one document, which can be compared, and all else goes to stderr", async () => {
  await writeFile(join(dir, "one.txt"), "cpu-stress\nnone\n");
  const matrix = ["--model", "reference/noop", "--model", "reference/runbook", "--method", "SoloGen"];
  const range = ["--range", "in-process", "--arenas", "2", "--output", "json"];
  const { code, stdout, stderr } = await runCommand(
    dir,
    "run",
    "--experiment-path",
    "one.txt",
    ...matrix,
    ...range,
  );
  expect([code, stderr]).toEqual([0, expect.stringContaining("remediated")]);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    experimentId: expect.any(String),
    request: {
      environment: "simple-micro",
      model: ["reference/noop", "reference/runbook"],
      method: ["SoloGen"],
    },
    groups: [
      { model: "reference/noop", bound: "floor", summary: { successRate: 0, controls: { hits: 1, of: 1 } } },
      { model: "reference/runbook", bound: "ceiling", summary: { successRate: 1 } },
    ],
    summary: { total: 2, injected: 2, remediated: 1, byFailure: { "cpu-stress": { rate: 0.5 } } },
  });
  await writeFile(join(dir, "report.json"), stdout);
  const compared = await microremed("compare", "report.json#reference/noop", "report.json#reference/runbook");
  expect(compared.code).toBe(0);
  expect(compared.stdout).toMatch(/1 pairs [\s\S]* only by A 0, only by B 1/);
  const each = await microremed("compare", "report.json", "report.json", "--output", "json");
  expect(JSON.parse(each.stdout).comparisons).toMatchObject([
    { pairs: 1, p: 1 },
    { pairs: 1, p: 1 },
  ]);
  const wrong = await microremed("compare", "one.txt", "report.json");
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("one.txt was not written with --output json"),
  ]);
});

test("--bounds runs the floor and the ceiling on the same cases", async () => {
  const what = [
    "--failure",
    "pod-fail",
    "--target",
    "hello-service",
    "--model",
    "reference/noop",
    "--bounds",
  ];
  const how = ["--method", "SoloGen", "--range", "in-process", "--arenas", "3", "--output", "json"];
  const { code, stdout } = await microremed("run", ...what, ...how);
  expect(code).toBe(0);
  const { groups, summary } = JSON.parse(stdout);
  expect(groups.map(({ model, bound }: { model: string; bound: string }) => [model, bound]).sort()).toEqual([
    ["reference/noop", "floor"],
    ["reference/random", "floor"],
    ["reference/runbook", "ceiling"],
  ]);
  expect(summary.total).toBe(3);
});

test("the lists are tables for people and JSON for machines", async () => {
  const { stdout } = await microremed("environments", "--output", "json");
  const names = JSON.parse(stdout).map((row: { name: string }) => row.name);
  expect(names).toEqual([
    "astronomy-shop",
    "fleetcast-tidb",
    "hotel-reservation",
    "online-boutique",
    "simple-micro",
    "social-network",
    "train-ticket",
  ]);
  expect((await microremed("faults")).stdout).toContain("pod-config-error");
});
