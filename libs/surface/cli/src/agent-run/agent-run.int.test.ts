import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxTrouble } from "@microremed/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../testing/run-command.ts";

const hasSandbox = (await sandboxTrouble(process.env["PATH"] ?? "")) === undefined;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "agent-run-"));
});
afterAll(() => rm(directory, { recursive: true }));

const onProblem = [
  "--range",
  "in-process",
  "--arenas",
  "1",
  "--problem",
  "microremed@1/simple-micro-easy-01",
];
const agentRun = (...args: string[]) => runCommand(directory, "agent", "run", ...onProblem, ...args);

test.runIf(hasSandbox)("a command is run, reported and saved as an agent", async () => {
  const program = ["--", "bash", "-c", "echo begun; kubectl delete stresschaos --all"];
  const saving = ["--name", "script@2", "--save-path", "saved", "--logs", "logs"];
  const { code, stdout, stderr } = await agentRun("--output", "json", ...saving, ...program);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining("script@2, a program, in a sandbox (bubblewrap)"),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ status: "completed", request: { method: ["Session"], model: ["session/script@2"] } },
    episodes: [{ outcome: "remediated" }],
  });
  expect(await readdir(join(directory, "saved"))).toContain("0000_time-service_cpu-stress.json");
  const [log = ""] = await readdir(join(directory, "logs"));
  expect(await readFile(join(directory, "logs", log), "utf8")).toContain("begun\n");
});

test("what cannot be started is said before anything is, with the exit code of a wrong argument", async () => {
  const wrong = [
    [["--", "no-such-program"], "no-such-program cannot be started"],
    [["--mount", "/no/such/folder", "--", "true"], "--mount /no/such/folder: there is no such file"],
    [["--mount", "/", "--", "true"], "--mount /: name a folder below /"],
    [["--variable", "NOT_SET_ANYWHERE", "--", "true"], "--variable NOT_SET_ANYWHERE: it is not set"],
    [["--name", "a b", "--", "true"], "--name: "],
    [["--call-model", "nothing", "--", "true"], "no model is called"],
  ] as const;
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await agentRun("--sandbox", "none", ...args);
    expect([args, code, stdout]).toEqual([args, 2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("starting a local range");
  }
});
