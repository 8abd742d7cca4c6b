import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { catalogueOf } from "./catalogue.ts";
import type { Terminal } from "./terminal.ts";

/** What is said of a catalogue with one environment. */
async function saidOf(text: (ours: string) => string): Promise<{ said: string[]; file: string }> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-replaced-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = join(dir, "environments/simple-micro.yaml");
  const ours = "../../../catalogue/environments/simple-micro/environment.yaml";
  await mkdir(join(dir, "environments"));
  await writeFile(file, text(await readFile(join(import.meta.dirname, ours), "utf8")));
  const said: string[] = [];
  const terminal: Terminal = {
    print: (line) => said.push(`stdout: ${line}`),
    say: (line) => said.push(line),
    status: () => undefined,
    interactive: false,
    width: 80,
    paint: (_, line) => line,
  };
  await catalogueOf({ terminal }, { catalogue: [dir] });
  return { said, file };
}

test("says which environment a user's file replaces, and what of it may be a store", async () => {
  const { said, file } = await saidOf((ours) => ours);
  expect(said).toEqual([
    `environment simple-micro: ${file} replaces the one that is built in`,
    expect.stringMatching(/the image python:3\.9-slim of \S+ is not known to keep data; declare keepsData/),
  ]);
});

test("says nothing of workloads that declare whether they keep data", async () => {
  const declare = (text: string, name: string) =>
    text.replace(
      `
  ${name}:
`,
      `
  ${name}:
    keepsData: false
`,
    );
  const declared = (ours: string) => ["hello-service", "time-service"].reduce(declare, ours);
  expect((await saidOf(declared)).said).toHaveLength(1);
});
