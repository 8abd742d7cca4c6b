// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code with templates in it
import { expect, test } from "vitest";
import { compile } from "./compile.ts";
import { npmDependencies, type ShippedPackage } from "./shipped-packages.ts";

const aPackage = (dir: string, more: Partial<ShippedPackage> = {}): ShippedPackage => ({
  name: `@microremed/${dir.split("/").at(-1)}`,
  dir,
  exports: { ".": "./src/index.ts", "./deep": "./src/deep/index.ts" },
  dependencies: {},
  ...more,
});
const packages = [aPackage("libs/core"), aPackage("libs/ports/bus")];
const codeOf = (source: string, file = "libs/ports/bus/src/a/b.ts") =>
  compile(file, source, packages).code.trim();

test.each([
  ["a file beside it", 'export * from "./c.ts";', 'export * from "./c.js";'],
  ["a folder above", 'import { x } from "../x.ts";', 'import { x } from "../x.js";'],
  [
    "one of ours",
    'import { x } from "@microremed/core";',
    'import { x } from "../../../../core/src/index.js";',
  ],
  ["an export of its own", 'import "@microremed/bus/deep";', 'import "../deep/index.js";'],
  ["on demand", 'await import("./c.ts");', 'await import("./c.js");'],
  ["from npm", 'import { z } from "zod/v4";', 'import { z } from "zod/v4";'],
  ["a worker", 'new URL("./w.ts", import.meta.url);', 'new URL("./w.js", import.meta.url);'],
  [
    "a service",
    "new URL(`../${n}/main.ts`, import.meta.url);",
    "new URL(`../${n}/main.js`, import.meta.url);",
  ],
  [
    "a place",
    'import.meta.resolve("@microremed/core/deep");',
    'new URL("../../../../core/src/deep/index.js", import.meta.url).href;',
  ],
])("%s is named as it is published", (_what, source, published) => {
  expect(codeOf(source)).toBe(published);
});

test("types go, lines stay", () => {
  const source =
    'import type { A } from "./a.ts";\n\ninterface B {\n  a: A;\n}\nexport const b = 1 as number;\n';
  const { code, files } = compile("libs/core/src/b.ts", source, packages);
  expect(code.split("\n").findIndex((line) => line.includes("const b"))).toBe(5);
  expect(code).not.toMatch(/interface|import|number/);
  expect(files).toEqual([]);
});

test("says what it imports", () => {
  const source =
    'import "node:fs"; import "./c.ts"; import "@microremed/core"; import "@a/b/c"; import "d/e";';
  expect(compile("libs/ports/bus/src/b.ts", source, packages)).toMatchObject({
    files: ["libs/ports/bus/src/c.ts", "libs/core/src/index.ts"],
    npm: ["@a/b", "d"],
  });
});

test.each([
  ["a package that is not published", 'import "@microremed/gone";', "@microremed/gone"],
  ["an export that is none", 'import "@microremed/core/inside";', "@microremed/core/inside"],
  ["a file by a name that is made up", "import(`./${name}.ts`);", ".ts"],
])("%s is refused", (_what, source, named) => {
  expect(() => codeOf(source)).toThrow(named);
});

test("dependencies are exact, and the same everywhere", () => {
  const a = aPackage("libs/a", { dependencies: { "@microremed/core": "*", zod: "4.6.7" } });
  expect(npmDependencies([a, ...packages])).toEqual({ zod: "4.6.7" });
  const b = aPackage("libs/b", { dependencies: { zod: "4.6.8" } });
  expect(() => npmDependencies([a, b, ...packages])).toThrow(/libs\/b.*zod is 4\.6\.8, and 4\.6\.7/);
  const loose = aPackage("libs/c", { dependencies: { zod: "^4.6.7" } });
  expect(() => npmDependencies([loose])).toThrow(/exact version/);
});
