import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { episodeFile } from "./save-episodes.ts";
import { runLine } from "./testing/run-line.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-saved-"));
  const request = [
    "--env",
    "simple-micro",
    "--experiment-path",
    "easy@1",
    "--experiments",
    "2",
    "--task",
    "detection",
  ];
  const methods = ["--method", "AlwaysYes", "--method", "AlwaysNo", "--model", "none"];
  const range = ["--range", "in-process", "--save-path", "whole"];
  expect(await runLine(dir, "run", ...request, ...methods, ...range)).toMatchObject({ code: 0 });
}, 120_000);
afterAll(() => rm(dir, { recursive: true, force: true }));

const filesOf = async (name: string): Promise<string[]> =>
  (await readdir(join(dir, name))).filter((file) => episodeFile.test(file)).sort();

/** A copy of the run whose failed episodes are gone, or say that they were solved. */
async function forged(name: string, how: "without failures" | "all solved"): Promise<void> {
  await cp(join(dir, "whole"), join(dir, name), { recursive: true });
  for (const file of await filesOf(name)) {
    const path = join(dir, name, file);
    const document = JSON.parse(await readFile(path, "utf8"));
    if (document.outcome === "solved") continue;
    if (how === "without failures") await rm(path);
    else await writeFile(path, JSON.stringify({ ...document, outcome: "solved" }));
  }
}

const printed = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runLine(dir, ...args);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.replaceAll(/\s+/g, " ");
};

test("a whole run is completed, without a warning", async () => {
  const report = JSON.parse(await printed("report", "whole", "--format", "json"));
  expect(report).toMatchObject({ status: "completed", planned: 4 });
  expect(report).not.toHaveProperty("unfounded");
  expect(await printed("report", "whole")).not.toContain("warning");
  expect(await printed("compare", "whole#none#AlwaysYes", "whole#none#AlwaysNo")).not.toContain("planned");
});

test("episodes that are missing are counted in every format, and in a comparison", async () => {
  await forged("picked", "without failures");
  const count = "2 of 4 planned episodes";
  for (const format of ["table", "markdown", "html"]) {
    const report = await printed("report", "picked", "--format", format);
    expect(report).toContain(count);
    expect(report).toContain("incomplete");
  }
  const report = JSON.parse(await printed("report", "picked", "--format", "json"));
  expect(report).toMatchObject({ status: "incomplete", planned: 4 });
  expect(await printed("compare", "picked#none#AlwaysYes", "whole#none#AlwaysYes")).toContain(
    `warning: A: ${count}`,
  );
});

test("an outcome that does not follow from what is saved is named, and so is an episode of no plan", async () => {
  await forged("flipped", "all solved");
  const wrong = "the outcome is solved, but its grades say not-solved";
  for (const format of ["table", "markdown", "html"])
    expect(await printed("report", "flipped", "--format", format)).toContain(wrong);
  const { unfounded } = JSON.parse(await printed("report", "flipped", "--format", "json"));
  expect(unfounded).toHaveLength(2);
  expect(await printed("compare", "flipped#none#AlwaysNo", "whole#none#AlwaysNo")).toContain(wrong);
  const file = (await filesOf("flipped")).find((name) => name.startsWith(String(unfounded[0].id).slice(-4)));
  expect(await printed("show", join("flipped", file ?? ""))).toContain(wrong);
  expect(await printed("show", join("flipped", file ?? ""), "--html")).toContain(wrong);

  const [first = ""] = await filesOf("whole");
  await cp(join(dir, "whole", first), join(dir, "flipped", `0009${first.slice(4)}`));
  expect(await printed("report", "flipped")).toContain("its index is there twice");
});

test("where the plan is not known here, the report says so", async () => {
  await cp(join(dir, "whole"), join(dir, "unknown"), { recursive: true });
  for (const name of await filesOf("unknown")) {
    const path = join(dir, "unknown", name);
    const document = JSON.parse(await readFile(path, "utf8"));
    const request = { ...document.request, failures: "a-suite-of-somebody" };
    await writeFile(path, JSON.stringify({ ...document, request }));
  }
  expect(await printed("report", "unknown")).toContain("how many its request plans is not known here");
});
