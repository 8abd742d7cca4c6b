import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./testing/run-command.ts";
import { runLine } from "./testing/run-line.ts";

/** As MicroRemed 0.1.0 wrote them. */
const documents = fileURLToPath(new URL("../../../engine/trajectory/src/testdata/v0.1.0/", import.meta.url));
const report = fileURLToPath(
  new URL("../../../engine/scoring/src/testdata/v0.1.0/report.json", import.meta.url),
);
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-old-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const microremed = (...args: string[]) => runLine(dir, ...args);

test("documents of 0.1.0 are shown and exported", async () => {
  const shown = await microremed("show", join(documents, "not-remediated.json"));
  expect(shown.stdout).toContain("strict verdict: not recovered");
  expect(shown.stdout).toContain("what changed since attempt 1");
  const exported = await microremed("export", documents, "--format", "csv", "--out", "old.csv");
  expect(exported.stderr).not.toContain("error");
  expect(exported.code).toBe(0);
  expect((await readFile(join(dir, "old.csv"), "utf8")).trim().split("\n")).toHaveLength(5);
});

test("a report of 0.1.0 is compared", async () => {
  const { code, stdout } = await microremed(
    "compare",
    `${report}#reference/runbook`,
    `${report}#reference/noop`,
  );
  expect(stdout).toContain("3 pairs");
  expect(code).toBe(0);
});

test("a document of 0.1.0 is replayed to the same end", async () => {
  const file = join(documents, "remediated.json");
  const { code, stdout, stderr } = await runCommand(
    dir,
    "replay",
    file,
    "--time-scale",
    "200",
    "--output",
    "json",
  );
  expect(stderr).not.toContain("error");
  expect(JSON.parse(stdout)).toMatchObject({ recorded: "remediated", replayed: "remediated", same: true });
  expect(code).toBe(0);
});
