import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, walkTokens } from "marked";
import { beforeAll, expect, test } from "vitest";
import { wholeCommandLine } from "../cli-reference.ts";
import { type Known, mistakesIn } from "./check-commands.ts";
import { type Page, pages, repositoryFiles, root } from "./pages.ts";
import { blocksOf, indentedBlocksOf } from "./read-blocks.ts";

const current = pages().filter(({ path }) => !/(^|\/)CHANGELOG\.md$|^docs\/adr\//.test(path));
const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
const files = repositoryFiles();
let known: Known;

beforeAll(async () => {
  known = {
    commandLine: await wholeCommandLine(),
    scripts: new Set(Object.keys(packageJson.scripts)),
    exists: (path) => files.some((file) => file.startsWith(path)),
  };
});

test("every block of commands of README, CONTRIBUTING and docs says how it is tried, or why not", () => {
  const forReaders = current.filter(({ path }) => /^(README|CONTRIBUTING)\.md$|^docs\//.test(path));
  const silent = forReaders.flatMap(blocksOf).filter(({ trial }) => trial === undefined);
  expect(silent.map(({ page, commands }) => `${page}: ${commands}`)).toEqual([]);
});

test("a reason why a block does not run names tests that exist", () => {
  const reasons = current
    .flatMap(blocksOf)
    .flatMap(({ trial }) => (trial?.kind === "not" ? [trial.reason] : []));
  const named = reasons.flatMap((reason) => reason.match(/[\w.-]+\.test\.ts/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

test("commands are in fenced blocks, which tests can find", () => {
  expect(current.flatMap(indentedBlocksOf)).toEqual([]);
});

test("commands in blocks and in prose have verbs, options, scripts and paths that exist", () => {
  const inBlocks = current.flatMap((page) =>
    blocksOf(page).map(({ commands }) => [page.path, commands] as const),
  );
  const inProse = current.flatMap((page) => commandsInProse(page).map((text) => [page.path, text] as const));
  expect(inBlocks.length).toBeGreaterThan(30);
  expect(inProse.length).toBeGreaterThan(50);
  const wrong = [...inBlocks, ...inProse].flatMap(([path, text]) =>
    mistakesIn(text, known).map((mistake) => `${path}: ${mistake}`),
  );
  expect(wrong).toEqual([]);
});

/** Commands in code spans, and the examples that `--help` prints. */
function commandsInProse({ tokens }: Page): string[] {
  const found: string[] = [];
  walkTokens([...tokens], (token) => {
    const isHelp = token.type === "code" && token.lang === "text" && /^(npx )?microremed /m.test(token.text);
    const isCommand = token.type === "codespan" && /^(npx |npm run |microremed |sh scripts)/.test(token.text);
    if (isHelp || (isCommand && !token.text.includes("..."))) found.push(token.text);
  });
  return found;
}

test("mistakes are found", () => {
  const script = [
    "npx microremed rum --env a",
    "for x in 1 2; do microremed run --enw a | cat; done",
    "export A=$(microremed cluster prepare --nam x)",
    "npm run gone && npm run check",
    "sh scripts/gone && kubectl apply -k k8s/gone",
    "npx vitest run --project unit libs/gone",
    "microremed deadletters lst",
    "npx microremed watch <id> && microremed report <id> --format html",
  ];
  expect(mistakesIn(script.join("\n"), known)).toEqual([
    "microremed: no command rum",
    "microremed run: no option --enw",
    "microremed cluster prepare: no option --nam",
    "npm run: no script gone",
    "sh: no path scripts/gone",
    "kubectl: no path k8s/gone",
    "vitest: no path libs/gone",
    "microremed deadletters: no command lst",
  ]);
  expect(mistakesIn("echo 'a", known)).not.toEqual([]);
});

test("the comment before a block says how it is tried; a short reason is none", () => {
  const block = (comment: string) =>
    blocksOf({ path: "a.md", tokens: lexer(`${comment}\n\`\`\`sh\nls\n\`\`\``) });
  expect(block("<!-- runs: quick; note -->")).toMatchObject([{ trial: { kind: "quick" }, commands: "ls" }]);
  expect(block("<!-- does not run: it needs root -->")).toMatchObject([
    { trial: { reason: "it needs root" } },
  ]);
  expect(block("<!-- does not run: no -->")).toMatchObject([{ trial: undefined }]);
  expect(block("text")).toMatchObject([{ trial: undefined }]);
});
