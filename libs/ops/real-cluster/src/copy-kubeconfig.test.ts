import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyKubeconfig } from "./copy-kubeconfig.ts";

test("a copy goes with its cluster, and another cluster's in its place stays", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "kubeconfig-"));
  const [from, to] = [join(dir.path, "own"), join(dir.path, "copy")];
  await writeFile(from, "a cluster");
  {
    await using _copied = await copyKubeconfig(from, to);
    expect(await readFile(to, "utf8")).toBe("a cluster");
  }
  expect(await readdir(dir.path)).toEqual(["own"]);
  {
    await using _copied = await copyKubeconfig(from, to);
    await writeFile(to, "another cluster");
  }
  expect(await readFile(to, "utf8")).toBe("another cluster");
});
