import { chmod, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxTrouble } from "@microremed/sandbox";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../testing/run-command.ts";

const bin = join(import.meta.dirname, "..", "..", "bin", "microremed.mjs");
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

const submitAndGoOn = `
import json, os, time, urllib.request
env = os.environ
place = f"{env['MICROREMED_URL']}/v1/sessions/{env['MICROREMED_SESSION']}/problems/{env['MICROREMED_PROBLEM']}/calls"
call = {"id": "last", "tool": "submit", "arguments": {"anomaly": False}}
request = urllib.request.Request(place, json.dumps(call).encode(), {"content-type": "application/json"})
urllib.request.urlopen(request)
time.sleep(2)
print("and then", flush=True)
time.sleep(60)
`;

test.runIf(hasSandbox)("what a program prints after its last answer is in its log", async () => {
  const problem = ["--range", "in-process", "--problem", "range@1/simple-micro-calm-01-detection"];
  const program = ["--logs", "late", "--", "python3", "-c", submitAndGoOn];
  const { code } = await runCommand(directory, "agent", "run", ...problem, ...program);
  expect(code).toBe(0);
  const [log = ""] = await readdir(join(directory, "late"));
  expect(await readFile(join(directory, "late", log), "utf8")).toContain("and then\n");
});

test.runIf(hasSandbox)(
  "an interrupted run goes on with its program: what is done stays, the rest is run",
  async () => {
    const calm = "range@1/simple-micro-calm-01-detection";
    const wrong = "range@1/simple-micro-pod-config-error-hello-service-detection";
    const problems = ["--problem", calm, "--problem", wrong];
    const on = ["agent", "run", "--range", "in-process", "--arenas", "2", ...problems];
    const says = (anomaly: boolean) => ["--", "bash", "-c", `echo '{"anomaly": ${anomaly}}'`];
    const saving = ["--name", "script@2", "--save-path", "half"];
    expect((await runCommand(directory, ...on, ...saving, ...says(false))).code).toBe(0);
    const half = join(directory, "half");
    const files = (await readdir(half)).filter((name) => /^\d{4}_/.test(name)).sort();
    const [kept = "", lost = ""] = files;
    // The harness lost it after its program had been given it.
    const given = JSON.parse(await readFile(join(half, lost), "utf8"));
    await writeFile(join(half, lost), JSON.stringify({ ...given, outcome: "harness-error" }));
    const before = await readFile(join(half, kept), "utf8");
    await runCommand(directory, "leaderboard", "keys", "--out", "key.pem");
    const signing = ["--key", "key.pem", "--agent", "script", "--agent-version", "2", "--by", "us"];
    // Episodes that were cancelled are to be run.
    await writeFile(join(half, lost), JSON.stringify({ ...given, outcome: "cancelled" }));
    const early = await runCommand(directory, "leaderboard", "sign", "half", ...signing);
    expect([early.code, early.stderr]).toEqual([
      2,
      expect.stringContaining(
        "lacks 1 of the episodes that its request plans; finish it first: microremed agent run --resume half -- <command>",
      ),
    ]);
    await writeFile(join(half, lost), JSON.stringify({ ...given, outcome: "harness-error" }));
    const resume = ["agent", "run", "--resume", "half", "--arenas", "2", "--output", "json"];
    const { code, stdout, stderr } = await runCommand(directory, ...resume, ...says(true));
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 episode done, 1 to be run")]);
    const report = JSON.parse(stdout) as {
      request: object;
      episodes: { problem: string; outcome: string; earlierTrials: number }[];
    };
    expect(report.request).toMatchObject({ model: ["session/script@2"] });
    expect(report.episodes.map(({ outcome }) => outcome)).toEqual(["solved", "solved"]);
    expect(report.episodes.map(({ earlierTrials }) => earlierTrials)).toEqual([0, 1]);
    const again = JSON.parse(await readFile(join(half, lost), "utf8"));
    expect(again.earlier).toMatchObject([{ trial: 1, steps: given.steps }]);
    expect((await readdir(half)).filter((name) => /^\d{4}_/.test(name)).sort()).toEqual(files);
    expect(await readFile(join(half, kept), "utf8")).toBe(before);
    expect((await runCommand(directory, "leaderboard", "sign", "half", ...signing)).code).toBe(0);
    // Only its program can go on with it.
    const alone = await runCommand(directory, "run", "--resume", "half", "--range", "in-process");
    expect([alone.code, alone.stderr]).toEqual([
      2,
      expect.stringContaining("agent run --resume half -- <command>"),
    ]);
    const renamed = await runCommand(directory, ...resume, "--name", "other", ...says(true));
    expect([renamed.code, renamed.stderr]).toEqual([
      2,
      expect.stringContaining("cannot be used with option"),
    ]);
  },
);

/** In a name space of mounts of its own, with a file in the place of bubblewrap: the system's is found first, whatever PATH says. */
async function agentRunWith(bwrap: string, mode: number, ...args: string[]) {
  const file = join(directory, "bwrap");
  await writeFile(file, bwrap);
  await chmod(file, mode);
  const own = process.getuid?.() === 0 ? ["--mount"] : ["--mount", "--map-root-user"];
  const hide = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
  const command = [process.execPath, bin, "agent", "run", ...onProblem, ...args];
  const child = await execa(
    "unshare",
    [...own, "bash", "-c", hide, "bash", file, await realpath("/usr/bin/bwrap"), ...command],
    { cwd: directory, reject: false },
  );
  return { code: child.exitCode, stdout: child.stdout, stderr: child.stderr };
}

test.runIf(hasSandbox)("where bubblewrap is not there, or confines nothing, no program is run", async () => {
  const unconfined = '#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n';
  for (const [bwrap, mode] of [
    ["", 0o644],
    [unconfined, 0o755],
  ] as const) {
    const { code, stdout, stderr } = await agentRunWith(bwrap, mode, "--", "touch", join(directory, "ran"));
    expect([mode, code, stdout]).toEqual([mode, 3, ""]);
    expect(stderr).toMatch(/untrusted code cannot be confined here.*--sandbox none.*\[missing-tool\]/s);
    expect(stderr).not.toContain("starting a local range");
    expect(await readdir(directory)).not.toContain("ran");
  }
});

test("what cannot be started is said before anything is, with the exit code of a wrong argument", async () => {
  const wrong = [
    [["--", "no-such-program"], "no-such-program cannot be started"],
    [["--mount", "/no/such/folder", "--", "true"], "--mount /no/such/folder: there is no such file"],
    [["--mount", "/", "--", "true"], "--mount /: name a folder below /"],
    [["--mount", "/proc/self", "--", "true"], "shows this machine, and is not mounted"],
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
