import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPackage } from "./build-package.ts";

const root = join(import.meta.dirname, "../..");
let dir: string;
let built: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "microremed-package-"));
  // Below node_modules, where Node strips no types; npm's packages are found one folder further up.
  built = join(dir, "user/node_modules/microremed/dist");
  buildPackage(root, built);
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const microremed = (...args: string[]): string => {
  const { NATS_URL: _, ...env } = process.env;
  const bin = join(built, "libs/surface/cli/bin/microremed.mjs");
  return execFileSync(process.execPath, [bin, ...args], { cwd: dir, env, encoding: "utf8", stdio: "pipe" });
};

test("has JavaScript and the files beside it: no sources, no tests", () => {
  const files = readdirSync(built, { recursive: true, encoding: "utf8" });
  const sources = /(?<!\.d)\.ts$|\.test\.|testdata|(^|\/)testing(\/|$)/;
  expect(files.filter((file) => sources.test(file))).toEqual([]);
  for (const ending of [".js", ".lua", ".py", ".yaml"])
    expect(files.filter((file) => file.endsWith(ending)).length).toBeGreaterThan(0);
});

test("has every entry of the catalogue, its version, and entries from outside", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(microremed("--version").trim()).toBe(version);
  mkdirSync(join(dir, "own/oracles/calm"), { recursive: true });
  writeFileSync(
    join(dir, "own/oracles/calm/index.ts"),
    `import { defineOracle, judged, z } from "@microremed/catalogue";
     import { z as other } from "zod";
     if (z !== other) throw new Error("there are two zods");
     const name: string = "calm";
     export default defineOracle({
       name, description: "always in order", cost: 1, measure: async () => judged(name, [], "in order"),
     });`,
  );
  const own = execFileSync("git", ["ls-files", "libs/catalogue/faults"], { cwd: root, encoding: "utf8" });
  const names = [...own.matchAll(/faults\/([^/]+)\/index\.ts$/gm)].map(([, name]) => name);
  const listed = JSON.parse(microremed("faults", "--catalogue", "own", "--output", "json"));
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(names.sort());
});

test("has the types of what entries import: tsc checks a folder of entries by them", () => {
  const user = join(dir, "user");
  cpSync(join(root, "docs/examples/catalogue"), join(user, "mine"), { recursive: true });
  writeFileSync(
    join(user, "tsconfig.json"),
    '{ "extends": "microremed/dist/catalogue.tsconfig.json", "include": ["mine"] }',
  );
  mkdirSync(join(user, "mine/oracles/calm"), { recursive: true });
  const entry = `import { defineOracle, judged } from "@microremed/catalogue";
    export default defineOracle({
      name: "calm", description: "always in order", cost: "1", measure: async () => judged("calm", [], "in order"),
    });`;
  writeFileSync(join(user, "mine/oracles/calm/index.ts"), entry);
  // The declarations themselves are checked too. That mistake is all there is to find: there, and in the other entries.
  const found = tsc(user, "--skipLibCheck", "false")
    .split("\n")
    .filter((line) => /^\S/.test(line));
  expect(found).toEqual([
    expect.stringMatching(/^mine\/oracles\/calm\/index\.ts.*'string' is not assignable to type 'number'/),
  ]);
  // Installed without a clone of the repository around it, a package has none of our workspaces to fall back to.
  const declared = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".d.ts"),
  );
  expect(declared.length).toBeGreaterThan(20);
  const imports = declared.flatMap(
    (file) => readFileSync(join(built, file), "utf8").match(importsOfOurs) ?? [],
  );
  expect(imports).toEqual([]);
});
/** Outside of comments. */
const importsOfOurs = /^(?!\s*\/?\*).*(?:from |import\()"@microremed\/.*$/gm;

/** What tsc prints of the project in a folder; empty: it found nothing wrong. */
function tsc(folder: string, ...args: string[]): string {
  const program = join(root, "node_modules/typescript/bin/tsc");
  const end = spawnSync(process.execPath, [program, "-p", ".", ...args], { cwd: folder, encoding: "utf8" });
  return `${end.stdout}${end.stderr}`;
}

test("runs an episode in one process, saves it and reports it", () => {
  writeFileSync(join(dir, "one.txt"), "pod-fail\n");
  const saved = ["--save-path", "runs/one"];
  const range = ["--range", "in-process", "--arenas", "1", "--output", "json"];
  const report = JSON.parse(microremed("run", "--experiment-path", "one.txt", ...range, ...saved));
  expect(report).toMatchObject({ range: "in-process", summary: { total: 1, remediated: 1 } });
  expect(JSON.parse(microremed("report", "runs/one", "--format", "json"))).toEqual({ ...report, planned: 1 });
  expect(microremed("report", "runs/one")).toContain("in one process");
});

test("where git lists no files, the error says what a package needs", () => {
  const module = JSON.stringify(join(root, "scripts/pack/build-package.ts"));
  const script = `(await import(${module})).buildPackage(${JSON.stringify(root)}, ${JSON.stringify(join(dir, "none"))})`;
  const env = { ...process.env, GIT_DIR: join(dir, "no-repository") };
  const options = { env, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], options);
  expect(status).not.toBe(0);
  expect(stderr).toContain(
    'a package is made in a clone, with git installed. Without a clone, run "git init" there first',
  );
});
