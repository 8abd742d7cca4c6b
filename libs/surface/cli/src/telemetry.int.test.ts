import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runLine } from "./testing/run-line.ts";

test("the telemetry of saved episodes is exported with what was wrong and when", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-telemetry-"));
  const microremed = (...args: string[]) => runLine(dir.path, ...args);
  const failure = ["--failure", "network-delay", "--experiments", "1"];
  const run = ["run", "--env", "simple-micro", ...failure, "--arenas", "1", "--range", "in-process"];
  const forgotten = await microremed(...run, "--telemetry");
  expect(forgotten.stderr).toMatch(/--telemetry needs --save-path/);
  const made = await microremed(
    ...run,
    "--model",
    "reference/runbook",
    "--save-path",
    "saved",
    "--telemetry",
  );
  expect(made.stderr).not.toMatch(/not saved/);
  expect(made.code).toBe(0);

  const exported = await microremed("telemetry", "export", "saved", "--out", "data");
  expect(exported).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/telemetry of 1 episode in data/),
  });
  const [episode = ""] = await readdir(join(dir.path, "data"));
  const read = (name: string) => readFile(join(dir.path, "data", episode, name), "utf8");
  const labels = JSON.parse(await read("labels.json"));
  expect(labels).toMatchObject({
    episode,
    outcome: "remediated",
    incident: [{ fault: "network-delay" }],
    truth: { mechanism: "network-slow" },
    missing: [],
  });
  expect(labels.windows.map(({ label }: { label: string }) => label)).toEqual([
    "fault-free",
    "faulty",
    "remediation",
  ]);
  expect(labels.windows[0].to).toBe(labels.incident[0].injectedAt);
  const rows = (await read("metrics.csv"))
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const latencies = (label: string, laterMs = 0): number[] => {
    const { from, to } = labels.windows.find((one: { label: string }) => one.label === label);
    const within = rows.filter(([time]) => Number(time) > from && Number(time) <= to + laterMs);
    return within.map((row) => Number(row.at(-2)));
  };
  // A row is of the step before its time, so the last one of a window may be later than its end.
  const faulty = latencies("faulty", labels.stepSeconds * 1000);
  expect(Math.max(...faulty)).toBeGreaterThan(5 * Math.max(...latencies("fault-free")));
  expect((await read("logs.jsonl")).split("\n").length).toBeGreaterThan(5);
  expect(JSON.parse((await read("traces.jsonl")).split("\n")[0] ?? "")).toHaveProperty("resourceSpans");

  const again = await microremed("telemetry", "export", "saved", "--out", "data");
  expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/is not overwritten/) });
  const elsewhere = await microremed(
    "telemetry",
    "export",
    "saved",
    "--telemetry",
    "nowhere",
    "--out",
    "other",
  );
  expect(elsewhere.stderr).toMatch(/has no telemetry of the episodes/);
});
