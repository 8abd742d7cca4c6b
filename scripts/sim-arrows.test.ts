import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** What imports what: from one node to those it imports. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

const root = join(import.meta.dirname, "..");
const packages = globSync("libs/sim/*/package.json", { cwd: root }).map(dirname);

/** The nodes of one circle in the order of its imports; undefined: there is none. */
function circleIn(arrows: Arrows): readonly string[] | undefined {
  const done = new Set<string>();
  function follow(node: string, way: readonly string[]): readonly string[] | undefined {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of arrows.get(node) ?? []) {
      const circle = follow(next, [...way, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  }
  for (const node of arrows.keys()) {
    const circle = follow(node, []);
    if (circle) return circle;
  }
  return undefined;
}

/** Packages by folder, with those that they depend on, for their tests too. */
function packageArrows(): Arrows {
  const manifests = packages.map((folder) => {
    const text = readFileSync(join(root, folder, "package.json"), "utf8");
    return JSON.parse(text) as Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  });
  const names = new Set(manifests.map(({ name }) => String(name)));
  return new Map(
    manifests.map(({ name, dependencies = {}, devDependencies = {} }) => {
      const wanted = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
      return [String(name), new Set(wanted.filter((each) => names.has(each)))];
    }),
  );
}

const imported = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Folders of one package with those whose files they import. Tests may use whatever they test with. */
function folderArrows(folder: string): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const file of globSync(`${folder}/src/**/*.ts`, { cwd: root })) {
    if (file.endsWith(".test.ts") || file.includes("/testing/")) continue;
    const own = dirname(file);
    const others = arrows.get(own) ?? new Set();
    arrows.set(own, others);
    for (const [, path = ""] of readFileSync(join(root, file), "utf8").matchAll(imported)) {
      const other = dirname(join(own, path));
      if (other !== own) others.add(other);
    }
  }
  return arrows;
}

test("a circle is found, and what only meets again is none", () => {
  const arrows = (pairs: readonly string[]) =>
    new Map(pairs.map(([from = "", ...to]) => [from, new Set(to)] as const));
  expect(circleIn(arrows(["abc", "bd", "cd"]))).toBeUndefined();
  expect(circleIn(arrows(["ab", "bc", "cb"]))).toEqual(["b", "c", "b"]);
});

test("no packages of the embedded cluster depend on each other in a circle", () => {
  const arrows = packageArrows();
  expect(arrows.size).toBeGreaterThan(10);
  expect(circleIn(arrows)).toBeUndefined();
});

test.each(packages)("no folders of %s import each other in a circle", (folder) => {
  expect(existsSync(join(root, folder, "src"))).toBe(true);
  expect(circleIn(folderArrows(folder))).toBeUndefined();
});
