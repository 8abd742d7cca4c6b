import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Word, words } from "./words-table.ts";

/** One use of a word that the table replaces. `line` counts from 1; 0: in the file's name. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  /** The word as it was found, e.g. `told`. */
  readonly found: string;
  readonly instead: string;
}

const root = join(import.meta.dirname, "..");

/** Texts that keep their words: decisions are history, prompts and recorded texts are data. */
const exempt = [
  /^docs\/adr\//,
  /^docs\/glossary\.md$/,
  /^scripts\/words/,
  /(^|\/)package-lock\.json$/,
  /\/(prompts|testdata|fixtures|parity|__snapshots__)\//,
  /^libs\/sim\/port-suites\/src\/escape\/cases\//,
  /^libs\/catalogue\/agents\/[^/]+\/prompts\.ts$/,
];
/** Text that people wrote: by its ending, or a script without one. */
const read = /\.(md|ts|js|mjs|lua|py|yaml|yml|json|sh|conf|env|Dockerfile)$|^(scripts|\.ci)\/[\w-]+$/;

/** The files that the table holds for, relative to the repository, by name. */
export function filesToRead(): readonly string[] {
  const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  const files = tracked.split("\n").filter((file) => read.test(file));
  return files.filter((file) => !exempt.some((pattern) => pattern.test(file)));
}

/** `lookEveryMs` -> `look Every Ms`, `HTTPLook2` -> `HTTP Look 2`: one pattern finds a word in prose and in identifiers. */
const spaced = (text: string): string =>
  text
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])|([A-Za-z])(?=[0-9])/g, "$1$3$5 $2$4")
    .replaceAll("_", " ");

/** Any word of the table: most lines have none, and are done after one search. */
const anyWord = new RegExp(words.map(({ word }) => word.source).join("|"), "i");

/** The words of the table in one text. `file` decides which words are allowed in it. */
export function findingsIn(file: string, text: string): readonly Finding[] {
  const held = words.filter(({ allowedIn }) => !allowedIn?.test(file));
  return text
    .split("\n")
    .flatMap((line, index) =>
      anyWord.test(spaced(line)) ? held.flatMap((word) => inLine(file, index + 1, line, word)) : [],
    );
}

function inLine(file: string, line: number, text: string, { word, except, instead }: Word): Finding[] {
  const kept = (except ?? []).reduce((rest, pattern) => rest.replaceAll(pattern, ""), text);
  const matches = spaced(kept).matchAll(new RegExp(word.source, "gi"));
  return [...matches].map((match) => ({ file, line, found: match[0], instead }));
}

/** Everything found, in the files and in their names. A name counts as line 0. */
export function readAll(): readonly Finding[] {
  return filesToRead().flatMap((file) => [
    ...findingsIn(file, file).map((finding) => ({ ...finding, line: 0 })),
    ...findingsIn(file, readFileSync(join(root, file), "utf8")),
  ]);
}

/** `docs/a.md:3: told -> report, show, state, give`. */
export const asLine = ({ file, line, found, instead }: Finding): string =>
  `${file}:${line}: ${found} -> ${instead}`;

if (import.meta.main) {
  const found = readAll();
  process.stdout.write(`${found.map(asLine).join("\n")}\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
