import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtInCatalogue } from "./built-in-catalogue.ts";
import { loadCatalogue } from "./load-catalogue.ts";

/** A directory outside of the repository with these files. */
async function aDirectory(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-catalogue-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

const oracle = (name: string, typed = ""): string => `
import { defineOracle, judged } from "@microremed/catalogue";
export default defineOracle({
  name: "${name}",
  description: "always in order",
  cost: 1,
  measure: async ()${typed} => judged("${name}", [], "in order"),
});
`;

test("loads entries in TypeScript and in plain JavaScript from a directory without packages", async () => {
  const dir = await aDirectory({
    "oracles/calm/index.ts": oracle("calm", ": Promise<import('@microremed/catalogue').OracleVerdict>"),
    "oracles/quiet/index.js": oracle("quiet"),
  });
  const { oracles } = await loadCatalogue({ dirs: [dir] });
  expect(oracles.names).toEqual(expect.arrayContaining(["calm", "quiet"]));
  expect((await builtInCatalogue()).oracles.has("calm")).toBe(false);
});

test("names every wrong place: file, field and what was expected", async () => {
  const dir = await aDirectory({
    "oracles/one/index.ts": oracle("other"),
    "oracles/two/index.js": `export default { name: "two" };`,
    "oracles/three/readme.txt": "",
    "oracles/four/index.js": "export default 1 +;",
    "oracles/five/index.js": "export const five = 5;",
    "suites/six/suite.yaml": "name: six\ndescription: a suite",
    "fault/seven/index.ts": "",
    "environments/eight/environment.yaml": "name: eight",
  });
  const message = await loadCatalogue({ dirs: [dir] }).then(
    () => "",
    (error: Error) => error.message,
  );
  const lines = message.replaceAll(dir, "DIR").split("\n");
  // Whose words those are depends on who reads the file.
  const shown = lines.map((line) => line.replace(/(code that can be loaded, not) .*/, "$1 ..."));
  expect(shown.join("\n")).toMatchInlineSnapshot(`
    "the catalogue cannot be loaded:
      - DIR/fault: expected a folder named faults, oracles, tools, tasks, agents, suites, environments, policies
      - DIR/oracles/three: expected one of the files index.ts, index.js, index.mjs
      - DIR/oracles/five/index.js, default export: expected the entry: export default ...
      - DIR/oracles/four/index.js: expected code that can be loaded, not ...
      - DIR/oracles/one/index.ts, name: expected "one", the name of its folder, not "other"
      - DIR/oracles/two/index.js, entry: expected the result of defineOracle({ ... })
      - DIR/oracles/two/index.js, description: expected string, received undefined
      - DIR/oracles/two/index.js, cost: expected number, received undefined
      - DIR/oracles/two/index.js, measure: expected a function
      - DIR/suites/six/suite.yaml, name: expected <name>@<version>, e.g. nightly@1
      - environment eight: expected DIR/environments/eight/environment.yaml does not describe an environment:
      - description: Invalid input: expected string, received undefined
      - source: Invalid input: expected string, received undefined
      - namespace: Invalid input: expected string, received undefined
      - targets: Invalid input: expected array, received undefined
      - workloads: Invalid input: expected record, received undefined
      - services: Invalid input: expected record, received undefined
      - load: Invalid input: expected object, received undefined
    The format is explained in libs/catalogue/environments/README.md."
  `);
});
