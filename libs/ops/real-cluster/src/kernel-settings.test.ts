import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepKernelSettings } from "./kernel-settings.ts";

async function aKernel() {
  const dir = await mkdtempDisposable(join(tmpdir(), "kernel-"));
  const [setting, notes] = [join(dir.path, "panic"), join(dir.path, "notes")];
  await writeFile(setting, "0\n");
  return {
    setting,
    notes,
    keep: () => keepKernelSettings([setting, join(dir.path, "nosuch")], notes),
    set: (value: string) => writeFile(setting, value),
    value: async () => (await readFile(setting, "utf8")).trim(),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test.each(["first", "second"])(
  "of two clusters the last one that ends puts the settings back: the %s",
  async (last) => {
    await using kernel = await aKernel();
    const first = await kernel.keep();
    await kernel.set("10");
    const second = await kernel.keep();
    const [early, late] = last === "second" ? [first, second] : [second, first];
    await early[Symbol.asyncDispose]();
    expect(await kernel.value()).toBe("10");
    await late[Symbol.asyncDispose]();
    expect(await kernel.value()).toBe("0");
    expect(await readdir(kernel.notes)).toEqual([]);
  },
);

/** A process that keeps the settings, has changed one, and is killed. */
async function killOne({
  setting,
  notes,
}: {
  readonly setting: string;
  readonly notes: string;
}): Promise<void> {
  const module = new URL("kernel-settings.ts", import.meta.url).href;
  const script = `const { keepKernelSettings } = await import(${JSON.stringify(module)});
    await keepKernelSettings([${JSON.stringify(setting)}], ${JSON.stringify(notes)});
    console.log("kept"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  await once(child.stdout, "data");
  await writeFile(setting, "10");
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("a cluster that is killed puts the settings back, too", async () => {
  await using kernel = await aKernel();
  await killOne(kernel);
  await expect.poll(() => kernel.value()).toBe("0");
  await expect.poll(() => readdir(kernel.notes)).toEqual([]);
});

test("a cluster that is killed beside another one leaves the settings to it", async () => {
  await using kernel = await aKernel();
  const other = await kernel.keep();
  await killOne(kernel);
  await expect.poll(async () => (await readdir(kernel.notes)).length).toBe(1);
  expect(await kernel.value()).toBe("10");
  await other[Symbol.asyncDispose]();
  expect(await kernel.value()).toBe("0");
});
