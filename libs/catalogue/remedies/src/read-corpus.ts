import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { terminal } from "@microremed/core";
import { load, YAMLException } from "js-yaml";
import { type CorpusRemedy, corpusRemedy } from "./corpus-remedy.ts";
import { RemedyFile } from "./format.ts";

const builtIn = join(import.meta.dirname, "..");
const mostFiles = 2_000;
const mostBytes = 256 * 1024;
/** Most problems that one message names. */
const mostShown = 20;

/** Folder -> what `expected.clean` of every file in it must be. */
const folders = { repairs: true, "non-repairs": false } as const;

/** Names of environments and faults that files may speak of. */
export interface KnownNames {
  readonly faults: readonly string[];
  readonly environments: readonly string[];
}

interface Problem {
  readonly file: string;
  readonly says: string;
}

/**
 * The remedies of this package and those of the users' catalogues, `<dir>/remedies/{repairs,non-repairs}/<name>.yaml`,
 * in the order of their names. Throws `invalid-catalogue` (terminal) that names every wrong file and field.
 */
export function readCorpus(dirs: readonly string[], known: KnownNames): CorpusRemedy[] {
  return readRemedies([builtIn, ...dirs.map((dir) => join(dir, "remedies"))], known);
}

/** The remedies of these folders alone, each with `repairs` and `non-repairs` in it. Throws as `readCorpus` does. */
export function readRemedies(places: readonly string[], known: KnownNames): CorpusRemedy[] {
  const problems: Problem[] = [];
  const files = places.flatMap((place) => filesIn(place, problems));
  const remedies = files.flatMap(({ file, isRepair }) => {
    const read = readOne(file, isRepair, known);
    if ("remedy" in read) return [read.remedy];
    problems.push(...read.problems);
    return [];
  });
  const firsts = new Map<string, string>();
  for (const { name, file } of remedies) {
    const other = firsts.get(name);
    if (other !== undefined)
      problems.push({ file, says: `name: expected a unique name, ${other} has it too` });
    firsts.set(name, file);
  }
  if (problems.length > 0) throw invalid(problems);
  return remedies.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function filesIn(
  place: string,
  problems: Problem[],
): readonly { readonly file: string; readonly isRepair: boolean }[] {
  return Object.entries(folders).flatMap(([folder, isRepair]) => {
    const dir = join(place, folder);
    if (!lstatSync(dir, { throwIfNoEntry: false })) return [];
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
      problems.push({ file: dir, says: "expected a folder" });
      return [];
    }
    const names = readdirSync(dir).filter((name) => !name.startsWith("."));
    if (names.length > mostFiles) {
      problems.push({ file: dir, says: `expected at most ${mostFiles} files, not ${names.length}` });
      return [];
    }
    const others = names.filter((name) => !name.endsWith(".yaml"));
    problems.push(
      ...others.map((name) => ({ file: join(dir, name), says: "expected a file named <name>.yaml" })),
    );
    return names
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => ({ file: join(dir, name), isRepair }));
  });
}

function readOne(
  file: string,
  isRepair: boolean,
  known: KnownNames,
): { readonly remedy: CorpusRemedy } | { readonly problems: readonly Problem[] } {
  const wrong = (...says: string[]) => ({ problems: says.map((one) => ({ file, says: one })) });
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return wrong("expected a regular file");
  if (stat.size > mostBytes) return wrong(`expected at most ${mostBytes} bytes, not ${stat.size}`);
  let content: unknown;
  try {
    content = load(readFileSync(file, "utf8"));
  } catch (error) {
    return wrong(
      error instanceof YAMLException
        ? `it is not YAML: ${error.message}`
        : `it cannot be read: ${String(error)}`,
    );
  }
  const parsed = RemedyFile.safeParse(content);
  if (!parsed.success)
    return wrong(
      ...parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`),
    );
  const { name, expected, applies } = parsed.data;
  const unknown = (kind: "faults" | "environments"): string[] =>
    (applies[kind] ?? [])
      .filter((one) => !known[kind].includes(one))
      .map((one) => `applies.${kind}: expected one of ${known[kind].join(", ")}, not ${JSON.stringify(one)}`);
  const problems = [
    ...(name === basename(file, ".yaml")
      ? []
      : [`name: expected ${basename(file, ".yaml")}, the file's name`]),
    ...(expected.clean === isRepair
      ? []
      : [
          `expected.clean: expected ${isRepair}, as everything in the folder ${isRepair ? "repairs" : "non-repairs"}`,
        ]),
    ...unknown("faults"),
    ...unknown("environments"),
  ];
  return problems.length > 0 ? wrong(...problems) : { remedy: corpusRemedy(parsed.data, file) };
}

function invalid(problems: readonly Problem[]): Error {
  const shown = problems.slice(0, mostShown).map(({ file, says }) => `  - ${file}, ${says}`);
  const more = problems.length > mostShown ? [`  - ... and ${problems.length - mostShown} more`] : [];
  return terminal(
    "invalid-catalogue",
    `the corpus of remedies cannot be loaded:\n${[...shown, ...more].join("\n")}`,
    {
      problems: problems.slice(0, mostShown),
    },
  );
}
