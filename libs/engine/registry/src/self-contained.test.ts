import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { builtInCatalogue } from "./built-in-catalogue.ts";

const root = resolve(import.meta.dirname, "../../../..");
const { faults, noises } = await builtInCatalogue();

/**
 * Code and data of the product: no tests and what they measured, no comments, no help texts, no suites, whose lists are
 * published.
 */
function sources(): string[] {
  return globSync("{libs,services}/**/*.{ts,yaml,json}", {
    cwd: root,
    exclude: ["**/node_modules/**"],
  }).filter(
    (path) =>
      !/\.test\.ts$|\/(testing|testdata|golden|results)\/|^libs\/catalogue\/(faults|suites)\//.test(path),
  );
}

test("a fault is named in its own folder alone: whatever lists faults reads the folders", () => {
  // `none` is the word for no failure at all, which messages know.
  const names = faults.all().flatMap(({ name, control }) => (control ? [] : [name]));
  const listed = new RegExp(`(["'\`])(${names.join("|")})\\1|^\\s*-?\\s*(${names.join("|")})\\s*:`, "m");
  const found = sources().filter((path) => {
    const code = readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    return listed.test(code);
  });
  expect(found).toEqual([]);
});

test("a noise is named in its own folder and in suites alone", () => {
  const listed = new RegExp(`(["'\`])(${noises.names.join("|")})\\1`, "m");
  const found = sources().filter((path) => listed.test(readFileSync(join(root, path), "utf8")));
  expect(found.filter((path) => !/^libs\/catalogue\/noises\//.test(path))).toEqual([]);
});

test("a fault's folder names no other fault", () => {
  for (const { name } of faults.all()) {
    const others = faults.names.filter((other) => other !== name && other !== "none");
    const folder = join(root, "libs/catalogue/faults", name);
    for (const file of globSync("*.ts", { cwd: folder })) {
      const code = readFileSync(join(folder, file), "utf8");
      expect(
        others.filter((other) => code.includes(`"${other}"`)),
        `${name}/${file}`,
      ).toEqual([]);
    }
  }
});
