import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeBundle } from "./write-bundle.ts";

const main = "libs/surface/cli/src/main.ts";
let root: string;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "microremed-bundled-")));
  cpSync(join(import.meta.dirname, "../../libs/core/src/bundle.ts"), join(root, "libs/core/src/bundle.ts"));
  write("package.json", '{ "type": "module" }');
  write("libs/catalogue/sdk/src/index.ts", "export const sdk: object = {};");
  write("libs/catalogue/faults/one/index.ts", 'export { sdk as default } from "../../sdk/src/index.ts";');
  // What a command of ours does: it starts programs, finds files beside it, and imports entries by their places.
  write(
    main,
    `import { moduleOf, programOf } from "../../../core/src/bundle.ts";
     import { sdk } from "../../../catalogue/sdk/src/index.ts";
     const place = (file: string): URL => new URL("../../../../" + file, import.meta.url);
     const entry = await import(moduleOf(place("libs/catalogue/faults/one/index.ts")));
     console.log(JSON.stringify({
       place: import.meta.filename,
       started: programOf(place("${main}")),
       other: programOf(place("libs/other.ts")),
       isOne: entry.default === sdk,
     }));`,
  );
  // What changes in the millisecond in which a bundle is begun counts as changed meanwhile.
  await delay(5);
  await writeBundle(root);
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Starts a file of the repository in the test's folder, and returns what it says. */
const start = (file: string) => JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }));

/** The file that is started for `main` now. */
function program(): string {
  const url = (file: string): string => JSON.stringify(pathToFileURL(join(root, file)).href);
  const script = `import { programOf } from ${url("libs/core/src/bundle.ts")}; console.log(programOf(${url(main)}));`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).trim();
}

test("a program from the bundle knows the place of its source, starts others from it and has one of each module", () => {
  expect(program()).toContain("/node_modules/.cache/microremed-bundle/");
  expect(start(program())).toEqual({
    place: join(root, main),
    started: program(),
    other: join(root, "libs/other.ts"),
    isOne: true,
  });
});

test.each([
  ["a changed source", () => appendFileSync(join(root, main), "\n")],
  ["a removed source", () => rmSync(join(root, "libs/catalogue/sdk"), { recursive: true })],
  ["a new entry", () => write("libs/catalogue/faults/two/index.ts", "export default {};")],
  ["a changed package", () => write("package.json", '{ "type": "module", "version": "2" }')],
])("%s: the source is started", (_what, change) => {
  change();
  expect(program()).toBe(join(root, main));
});

test("one that is made again takes the place of the old one", async () => {
  const old = program();
  appendFileSync(join(root, main), "\n");
  await writeBundle(root);
  expect(program()).not.toBe(old);
  expect(start(program())).toMatchObject({ started: program() });
});
