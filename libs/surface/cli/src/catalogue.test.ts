import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { catalogueOf } from "./catalogue.ts";
import type { Terminal } from "./terminal.ts";

/** What is said of a catalogue with one environment. */
async function saidOf(model: (ours: string) => string): Promise<{ said: string[]; folder: string }> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-replaced-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const folder = join(dir, "environments/simple-micro");
  await cp(join(import.meta.dirname, "../../../catalogue/environments/simple-micro"), folder, {
    recursive: true,
  });
  const file = join(folder, "model.yaml");
  await writeFile(file, model(await readFile(file, "utf8")));
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
  return { said, folder };
}

test("says which environment a user's folder replaces, and what of it may be a store", async () => {
  const { said, folder } = await saidOf((ours) => ours);
  expect(said).toEqual([
    `environment simple-micro: ${folder} replaces the one that is built in`,
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
