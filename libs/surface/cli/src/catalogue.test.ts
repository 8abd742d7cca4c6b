import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { catalogueOf } from "./catalogue.ts";
import type { Terminal } from "./terminal.ts";

test("says which environment a user's file replaces", async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-replaced-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = join(dir, "environments/simple-micro.yaml");
  const ours = "../../../catalogue/environments/simple-micro/environment.yaml";
  await mkdir(join(dir, "environments"));
  await writeFile(file, await readFile(join(import.meta.dirname, ours)));
  const said: string[] = [];
  const terminal: Terminal = {
    print: (text) => said.push(`stdout: ${text}`),
    say: (text) => said.push(text),
    status: () => undefined,
    interactive: false,
    width: 80,
    paint: (_, text) => text,
  };
  await catalogueOf({ terminal }, { catalogue: [dir] });
  expect(said).toEqual([`environment simple-micro: ${file} replaces the one that is built in`]);
});
