import { expect, test } from "vitest";
import { FileTree, lengthOf, longFile } from "./file-tree.ts";
import { isDirectory } from "./layers.ts";

test("the size and the directories of a tree are those of its entries, whatever was done to it", () => {
  let drawn = 1;
  /** The same numbers each time, below `bound`. */
  const next = (bound: number): number => {
    drawn = (drawn * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((drawn / 2 ** 31) * bound);
  };
  const keys = ["/a", "/a/b", "/a/b/c", "/a/", "/d/", "d/e", "/d/e/f", "g", "/long/way/down", "/ab/c"];
  const tree = new FileTree([["/a/b", new Uint8Array(3)]]);
  for (let round = 0; round < 500; round += 1) {
    const key = keys[next(keys.length)] ?? "";
    const action = next(50);
    if (action === 0) tree.clear();
    else if (action < 20) tree.delete(key);
    else tree.set(key, new Uint8Array(key.endsWith("/") ? 0 : next(100)));
    expect(tree.bytes).toBe([...tree.values()].reduce((sum, { byteLength }) => sum + byteLength, 0));
    const full = [...tree.keys()].map((name) => (name.startsWith("/") ? name : `/${name}`));
    for (const path of ["/a", "/a/b", "/d", "/d/e", "/g", "/long", "/long/way", "/ab", "/nosuch"])
      expect([path, isDirectory({ tree, key: path })]).toEqual([
        path,
        full.some((name) => name.startsWith(`${path}/`)),
      ]);
  }
  expect(isDirectory({ tree: new FileTree(), key: "/" })).toBe(true);
});

test("a long file takes its whole length of the file system, and its beginning of the memory", () => {
  const tree = new FileTree([["/long", longFile(new Uint8Array(10), 4_000)]]);
  expect([tree.bytes, tree.keptBytes, tree.free]).toEqual([4_000, 10, Number.POSITIVE_INFINITY]);
  tree.capacity = 4_096;
  expect([tree.free, lengthOf(tree.get("/long") ?? new Uint8Array())]).toEqual([96, 4_000]);
  tree.set("/long", new Uint8Array(1));
  expect([tree.bytes, tree.keptBytes, tree.free]).toEqual([1, 1, 4_095]);
});
