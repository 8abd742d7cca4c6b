import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, type Tokens } from "marked";
import { API } from "typescript/unstable/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repositoryFiles, root } from "./docs/pages.ts";
import { generatedHeading, packageReadmes } from "./package-readmes.ts";
import { workspaces } from "./workspaces.ts";

const all = workspaces(root);
const readmes = packageReadmes();
const tests = repositoryFiles().filter((file) => file.endsWith(".test.ts"));
/** One screen: what a reader sees before deciding to open the code. */
const mostLines = 75;
const exampleHeading = "Example";

/** The code blocks of a README's section with the example. */
function examplesOf(dir: string): readonly Tokens.Code[] {
  const tokens = lexer(readFileSync(join(root, dir, "README.md"), "utf8"));
  const start = tokens.findIndex((token) => token.type === "heading" && token.text === exampleHeading);
  if (start < 0) return [];
  const after = tokens.slice(start + 1);
  const end = after.findIndex(({ type }) => type === "heading");
  return after
    .slice(0, end < 0 ? after.length : end)
    .filter((token): token is Tokens.Code => token.type === "code");
}

describe.each(all.map((each) => [each.dir, each] as const))("%s", (dir, { name, scripts }) => {
  test("has a README of one screen that says what it is, and where it belongs", () => {
    expect(existsSync(join(root, dir, "README.md"))).toBe(true);
    const text = readFileSync(join(root, dir, "README.md"), "utf8");
    const [title, purpose] = lexer(text).filter(({ type }) => type !== "space");
    expect(title).toMatchObject({ type: "heading", depth: 1, text: name });
    expect(purpose).toMatchObject({ type: "paragraph" });
    expect(text.split("\n").length).toBeLessThanOrEqual(mostLines);
    expect(text, "run npm run docs:generate").toBe(readmes.get(`${dir}/README.md`));
    expect(text).toContain(generatedHeading);
  });

  test("shows its main function", () => {
    const examples = examplesOf(dir);
    expect(examples.length).toBeGreaterThan(0);
    const own = examples.some(({ text, lang }) => lang === "sh" || /from "@microremed\//.test(text));
    expect(own).toBe(true);
  });

  test("can be tested alone: its test command runs tests that exist", () => {
    const [, ...words] = (scripts["test"] ?? "").split(" ");
    const paths = words.filter((word) => /^(libs|services|clients)\//.test(word));
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths)
      expect(
        tests.some((file) => file.startsWith(path)),
        `tests of ${path}`,
      ).toBe(true);
  });
});

describe("the examples", () => {
  let folder: string;
  beforeAll(() => {
    // Below the repository, for the packages are found as its own code finds them.
    mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
    folder = mkdtempSync(join(root, "node_modules/.cache/readme-examples-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** `file: message` for everything that the compiler finds in these TypeScript texts, each a module of its own. */
  function mistakesIn(examples: ReadonlyMap<string, string>): string[] {
    for (const [name, text] of examples) writeFileSync(join(folder, `${name}.ts`), `${text}\nexport {};\n`);
    const compilerOptions = {
      ...{ module: "preserve", moduleResolution: "bundler", incremental: false, tsBuildInfoFile: null },
      typeRoots: [join(root, "node_modules/@types")],
      // A package that is published built, from its source: a clone has nothing built.
      customConditions: ["development", "@microremed/source"],
    };
    const config = join(folder, "tsconfig.json");
    const files = [...examples.keys()].map((name) => `${name}.ts`);
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: [], files }),
    );
    const api = new API({ cwd: folder });
    try {
      const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
      if (program === undefined) throw new Error(`${config}: the compiler did not open it as a project`);
      return files.flatMap((file) => {
        const path = join(folder, file);
        const found = [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)];
        return found.map(({ text }) => `${file}: ${text}`);
      });
    } finally {
      api.close();
    }
  }

  test("in TypeScript compile", () => {
    const examples = all.flatMap(({ dir }) =>
      examplesOf(dir)
        .filter(({ lang }) => lang === "ts")
        .map(({ text }, index) => [`${dir.replaceAll("/", "-")}-${index}`, text] as const),
    );
    expect(examples.length).toBeGreaterThan(40);
    expect(mistakesIn(new Map(examples))).toEqual([]);
    const gone = 'import { gone } from "@microremed/core";\ngone();';
    expect(mistakesIn(new Map([["wrong", gone]])).join()).toContain("gone");
  });

  test("for a shell name commands that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const lines = all
      .flatMap(({ dir }) => examplesOf(dir))
      .filter(({ lang }) => lang === "sh")
      .flatMap(({ text }) => text.split("\n"));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const [, script] = /^npm run (\S+)/.exec(line) ?? [];
      const [, verb] = /^npx microremed (\S+)/.exec(line) ?? [];
      const known =
        script === undefined
          ? verb === "--help" || existsSync(join(root, `libs/surface/cli/src/commands/${verb}.ts`))
          : scripts[script] !== undefined;
      expect(known, line).toBe(true);
    }
  });
});
