import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareDirectory } from "./save-episodes.ts";

test("episodes are not saved in a catalogue, which could not be loaded any more, but beside it", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-save-"));
  const catalogue = [join(dir.path, "mine")];
  for (const inside of [
    join(dir.path, "mine", "runs"),
    join(dir.path, "mine"),
    `${dir.path}/x/../mine/runs/a`,
  ])
    await expect(prepareDirectory(inside, undefined, { catalogue })).rejects.toMatchObject({
      code: "invalid-request",
      message: expect.stringContaining("give a --save-path outside of it"),
    });
  expect(await readdir(dir.path)).toEqual([]);
  await prepareDirectory(join(dir.path, "mine-runs"), undefined, { catalogue });
  expect(await readdir(dir.path)).toEqual(["mine-runs"]);
});

test("of two commands that save in one directory at the same time the second is refused, whatever is saved yet", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-save-"));
  const claim = join(dir.path, ".microremed-writes-here");
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await writeFile(claim, `${other.pid} ${hostname()}\n`);
  await expect(prepareDirectory(dir.path, undefined)).rejects.toMatchObject({
    code: "invalid-request",
    message: expect.stringMatching(
      /another command \(process \d+ on .*\) saves episodes in .* give another --save-path/,
    ),
  });
  other.kill("SIGKILL");
  await once(other, "exit");
  // What a killed process has left.
  await prepareDirectory(dir.path, undefined);
  expect(await readFile(claim, "utf8")).toBe(`${process.pid} ${hostname()}\n`);
  await prepareDirectory(dir.path, undefined);
});
