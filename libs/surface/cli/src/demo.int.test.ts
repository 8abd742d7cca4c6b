import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInCatalogue } from "@microremed/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishedFaults } from "./commands/demo.ts";
import { episodeFile, removeEpisodes, requestFile } from "./save-episodes.ts";
import { runCommand } from "./testing/run-command.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-demo-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test("the demo is of the seven published faults, and online-boutique has a target for each", async () => {
  const { faults, environments } = await builtInCatalogue();
  const names = publishedFaults(faults);
  expect(names).toHaveLength(7);
  const environment = environments.get("online-boutique");
  expect(names.filter((name) => faults.get(name).targets(environment).length === 0)).toEqual([]);
});

test("a demo runs in an empty directory, and the next one begins without its episodes", async () => {
  const inOneProcess = ["--failures", "pod-fail", "--arenas", "2", "--range", "in-process"];
  const demo = await runCommand(dir, "demo", ...inOneProcess);
  expect(demo.code, demo.stderr).toBe(0);
  expect(demo.stdout).toContain("reference/runbook");
  const episodes = join(dir, "runs", "demo", "episodes");
  expect((await readdir(episodes)).filter((name) => episodeFile.test(name))).toHaveLength(6);

  await removeEpisodes(episodes);
  expect(await readdir(episodes)).toEqual([requestFile]);
});
