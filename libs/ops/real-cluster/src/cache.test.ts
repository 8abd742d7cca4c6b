import { mkdir, mkdtempDisposable, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepBuild, limitCache, noteUse } from "./cache.ts";

test("of each name the two builds that were used last are kept, and nothing that has not been used for a month", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "cache-"));
  const daysAgo = async (entry: string, days: number): Promise<void> => {
    const at = new Date(Date.now() - days * 86_400_000);
    await utimes(join(dir.path, entry), at, at);
  };
  const folders: readonly (readonly [entry: string, days: number])[] = [
    ["busybox_1.35-0123456789ab", 9],
    ["busybox_1.35-abcdefabcdef", 2],
    ["busybox_1.35-aaaaaaaaaaaa", 1],
    ["busybox_1.36-0123456789ab", 29],
    ["nginx-0123456789ab", 31],
    ["making-Xyz123", 1],
  ];
  for (const [entry, days] of folders) {
    await mkdir(join(dir.path, entry));
    await writeFile(join(dir.path, entry, "layer"), "");
    await daysAgo(entry, days);
  }
  await writeFile(join(dir.path, "busybox_1.35-bbbbbbbbbbbb.tar"), "");
  await daysAgo("busybox_1.35-bbbbbbbbbbbb.tar", 3);
  await noteUse(join(dir.path, "busybox_1.35-0123456789ab"));
  await limitCache(dir.path);
  expect((await readdir(dir.path)).toSorted()).toEqual([
    "busybox_1.35-0123456789ab",
    "busybox_1.35-aaaaaaaaaaaa",
    "busybox_1.36-0123456789ab",
    "making-Xyz123",
  ]);
});

test("of two runs that build the same, the build of the faster one stays", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "cache-"));
  const place = join(dir.path, "nginx-0123456789ab");
  for (const run of ["faster", "slower"]) {
    await mkdir(join(dir.path, run));
    await writeFile(join(dir.path, run, "layer"), run);
    await keepBuild(join(dir.path, run), place);
  }
  expect(await readFile(join(place, "layer"), "utf8")).toBe("faster");
  await expect(keepBuild(join(dir.path, "never-built"), join(dir.path, "other"))).rejects.toThrow("ENOENT");
});
