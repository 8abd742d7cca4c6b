import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { workspaces } from "./workspaces.ts";

// `turbo boundaries` reads neither type-only nor computed imports, and takes what `src/testing` re-exports for its own.

const root = join(import.meta.dirname, "..");
const simPackages = workspaces(root)
  .filter(({ dir }) => dir.startsWith("libs/sim/"))
  .map(({ name }) => name);

/** Who may import the embedded cluster in what it ships. Beside them: tests, and what `testing` folders hold for tests. */
const allowed = ["libs/sim/", "libs/ops/stack/", "libs/surface/cli/", "libs/surface/gym/", "scripts/"];
/** Programs that only tests start, though they are no tests themselves. */
const forTests = ["libs/ops/disruption/", "libs/ports/state/src/equivalence/"];
const isTest = (file: string): boolean => /\.test\.ts$|\/testing\/|\/testing\.ts$/.test(file);

/** Every way to name a module: from "x", import "x", import("x"), require("x"), import.meta.resolve("x"), new URL("x"). */
const named = /\b(?:from|import|require|resolve|URL)\s*\(?\s*(["'`])((?:(?!\1)[^\\\n])+)\1/g;
const computed = /(?<![.\w])import\s*\(\s*(?!["'][^"'\n]*["']\s*[,)])/;

/** Modules that a text imports, types too. */
function importsIn(text: string): string[] {
  return [...text.matchAll(named)].map(([, , path = ""]) => path);
}

/** Whether a module is one of the embedded cluster's, seen from a file. */
function isSim(path: string, file: string): boolean {
  if (path.startsWith(".")) return join(dirname(file), path).startsWith("libs/sim/");
  return simPackages.some((name) => path === name || path.startsWith(`${name}/`));
}

const sources = globSync(["libs/**/*.ts", "services/**/*.ts", "scripts/**/*.ts"], {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
});
const shipped = sources.filter((file) => !isTest(file) && !allowed.some((folder) => file.startsWith(folder)));
const read = (file: string): string => readFileSync(join(root, file), "utf8");

test("every form of an import is seen", () => {
  const forms = [
    'import { a } from "@microremed/simcluster";',
    'import type { A } from "@microremed/simcluster/testing";',
    'export * from "@microremed/simcluster";',
    'import "@microremed/simcluster";',
    'await import("@microremed/simcluster");',
    'type A = import("../../../sim/simcluster/src/index.ts").A;',
    'new URL("../../../sim/simcluster/src/x.ts", import.meta.url)',
  ];
  for (const form of forms)
    expect(
      importsIn(form).filter((path) => isSim(path, "libs/engine/arena/src/x.ts")),
      form,
    ).toHaveLength(1);
  expect(isSim("./sim/x.ts", "libs/engine/arena/src/x.ts")).toBe(false);
  expect("import(name)".match(computed)).toHaveLength(1);
  expect('import("x")'.match(computed)).toBeNull();
});

test("nothing that is shipped imports the embedded cluster but stack, cli and gym", () => {
  expect(shipped.length).toBeGreaterThan(500);
  const found = shipped.flatMap((file) =>
    importsIn(read(file))
      .filter((path) => isSim(path, file))
      .map((path) => `${file} imports ${path}`),
  );
  expect(found).toEqual([]);
});

test("nothing that is shipped imports a `testing` folder, which may lead to the embedded cluster", () => {
  const others = shipped.filter((file) => !forTests.some((folder) => file.startsWith(folder)));
  const found = others.flatMap((file) =>
    importsIn(read(file))
      .filter((path) => /^(?:\.|@microremed\/).*\/testing(?:\/|\.ts|$)/.test(path))
      .map((path) => `${file} imports ${path}`),
  );
  expect(found).toEqual([]);
});

test("a computed import is only where modules are found at run time", () => {
  const found = shipped.filter((file) => read(file).search(computed) >= 0);
  expect(found).toMatchInlineSnapshot(`
    [
      "libs/engine/registry/src/import-entry.ts",
    ]
  `);
});
