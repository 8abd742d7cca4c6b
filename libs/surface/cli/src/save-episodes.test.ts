import { mkdtempDisposable, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
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
