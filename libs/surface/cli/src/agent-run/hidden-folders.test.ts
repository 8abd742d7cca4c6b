import { chmod, mkdir, mkdtempDisposable, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hiddenFolders } from "./hidden-folders.ts";

test("saved runs, what this run writes and what a range keeps are hidden, wherever they are below a mount", async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), "microremed-hidden-"));
  const folder = await realpath(place.path);
  await chmod(folder, 0o755);
  for (const name of ["agent", "runs/old", "runs/new", ".microremed", "data"])
    await mkdir(join(folder, name), { recursive: true });
  for (const name of ["runs/old/request.yaml", "runs/old/0000_cart_cpu-stress.json", "data/request.yaml"])
    await writeFile(join(folder, name), "{}");
  expect(await hiddenFolders([folder], [join(folder, "runs/new"), undefined, join(folder, "gone")])).toEqual(
    [".microremed", "runs/new", "runs/old"].map((name) => join(folder, name)),
  );
  expect(await hiddenFolders([join(folder, "agent")], [join(folder, "runs/new")])).toEqual([]);
});
