import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type {
  Agent,
  Environment,
  Fault,
  Noise,
  Oracle,
  Suite,
  Problem as SuiteProblem,
  Task,
  Tool,
} from "@microremed/catalogue";
import { terminal } from "@microremed/core";
import type { Catalogue, Entries } from "./catalogue.types.ts";
import { checkCatalogue } from "./check-catalogue.ts";
import { checkParameters } from "./check-parameters.ts";
import { checkTruths } from "./check-truth.ts";
import { createEntries, createLateEntries } from "./entries.ts";
import { type FoundEntry, findEntries, type Placed, strayFolders } from "./find-entries.ts";
import { serveImportsOf } from "./import-entry.ts";
import { inTurn } from "./in-turn.ts";
import { createProblems } from "./problems/create-problems.ts";
import type { ProblemParts } from "./problems/problem-issues.ts";
import { readProblemFiles } from "./problems/read-problem-files.ts";
import { hasProblems, type PlacedSuite, problemsAt, resolveProblems } from "./problems/resolve-problems.ts";
import { type ReadEntry, readEntry, readSuite } from "./read-entry.ts";
import { readEnvironments } from "./read-environments.ts";
import type { Wrong } from "./wrong.types.ts";

/** The folders of the entries that come with the product. */
const builtIn = resolve(import.meta.dirname, "../../../catalogue");
/** Most problems that one message names. */
const mostShown = 100;
/** Entries that are read at a time: thousands at once would take gigabytes. */
const readAtOnce = 16;

/** Folders to load beside the built-in entries. */
export interface CatalogueOptions {
  /** Users' directories, each with folders `<kind>/<name>/`. Their code runs with this process's rights. */
  readonly dirs?: readonly string[];
  /** A user's directory of environments alone, `<name>.yaml` each. */
  readonly environmentsDir?: string | undefined;
  /** Ours are checked like a user's. Otherwise their suites and ground truths are read when they are asked for. */
  readonly checkOurs?: boolean;
  /** Without suites and their problems: for commands that need none and shall not fail for a wrong one. Default: with them. */
  readonly withoutSuites?: boolean;
}

let builtInRead: Promise<Catalogue> | undefined;

/**
 * Reads and checks every entry, ours and the users'; ours alone are read once in a process, and tests have checked most of
 * them. Throws `invalid-catalogue` (terminal) that names every wrong place: file, field, what was expected.
 */
export function loadCatalogue({
  dirs = [],
  environmentsDir,
  checkOurs = false,
  withoutSuites = false,
}: CatalogueOptions = {}): Promise<Catalogue> {
  if (dirs.length > 0 || environmentsDir !== undefined || checkOurs)
    return readCatalogue(dirs, environmentsDir, { later: false, withoutSuites });
  builtInRead ??= readCatalogue([], undefined, { later: true, withoutSuites: false });
  return builtInRead;
}

async function readCatalogue(
  dirs: readonly string[],
  environmentsDir: string | undefined,
  { later, withoutSuites }: { readonly later: boolean; readonly withoutSuites: boolean },
): Promise<Catalogue> {
  const own = dirs.map((dir) => resolve(dir));
  const missing = own.filter((dir) => !statSync(dir, { throwIfNoEntry: false })?.isDirectory());
  if (missing.length > 0)
    throw invalid(missing.map((place) => ({ place, field: "", expected: "a directory" })));
  for (const dir of own) serveImportsOf(dir);
  const isWanted = (path: string): boolean => !(withoutSuites && path.includes(`${sep}suites${sep}`));
  const places = [builtIn, ...own].map((dir) => {
    const { found, problems } = findEntries(dir);
    return {
      found: found.filter(({ file }) => isWanted(file)),
      problems: problems.filter(({ place }) => isWanted(place)),
    };
  });
  const problems: Wrong[] = [...own.flatMap(strayFolders), ...places.flatMap((place) => place.problems)];
  const found = places.flatMap((place) => place.found);
  const suitesLater = later && found.every(isAllInOneFile);
  const all = found.filter(({ kind }) => kind !== "suites" || !suitesLater);
  for (const { file } of places.slice(1).flatMap(({ found }) => found))
    serveImportsOf(dirname(realpathSync(file)));
  const read = await inTurn(all, readAtOnce, async (found) => ({ found, result: await readEntry(found) }));
  problems.push(...read.flatMap(({ result }) => ("problems" in result ? result.problems : [])));
  const of = <T>(kind: FoundEntry["kind"]): Placed<T>[] =>
    read.flatMap(({ found, result }) =>
      found.kind === kind && "entry" in result ? [{ entry: result.entry as T, file: found.file }] : [],
    );
  const faults = of<Fault>("faults");
  const noises = of<Noise>("noises");
  const oracles = of<Oracle>("oracles");
  const suites = of<Suite>("suites");
  const tools = of<Tool>("tools");
  const tasks = of<Task>("tasks");
  const agents = of<Agent>("agents");
  const environments = await readEnvironments(own, environmentsDir);
  problems.push(...environments.problems);
  const broken = read.flatMap(({ found, result }) => ("problems" in result ? [found] : []));
  problems.push(...checkCatalogue({ faults, noises, oracles, suites, tools, tasks, agents }, broken));
  const parameters = await inTurn(faults, readAtOnce, checkParameters);
  problems.push(...parameters.flat(), ...(await inTurn(noises, readAtOnce, checkParameters)).flat());
  // A ground truth reads its fault's parameters.
  const readable = faults.filter((_, i) => parameters[i]?.length === 0);
  if (!later && environments.problems.length === 0)
    problems.push(...checkTruths(readable, environments.entries.all()));
  const withFiles = await inTurn(
    read.filter(({ found }) => found.kind === "suites"),
    readAtOnce,
    withProblemFiles,
  );
  problems.push(...withFiles.flatMap(({ wrong }) => wrong));
  const readSuites: readonly PlacedSuite[] = withFiles.flatMap(({ suite }) => suite ?? []);
  const partsWith = (readableFaults: readonly Placed<Fault>[], systems: readonly Environment[]) => ({
    faults: byName(readableFaults),
    noises: byName(noises),
    environments: new Map(systems.map((one) => [one.name, one])),
    tasks: new Set(tasks.map(({ entry }) => entry.name)),
    watches: new Set(tasks.flatMap(({ entry }) => (entry.watch ? [entry.name] : []))),
    repairs: new Set(tasks.flatMap(({ entry }) => (entry.mayAct ? [entry.name] : []))),
  });
  if (problems.length > 0) {
    // What is wrong with an entry would be said again of every problem that refers to it.
    const unreadable = faults.filter((placed) => !readable.includes(placed)).map(({ entry }) => entry.name);
    const systems = readableIn(environments.entries);
    const isRead = (name: string): boolean => systems.some((one) => one.name === name);
    const brokenNames = new Set([
      ...unreadable,
      ...broken.map(({ folder }) => folder),
      ...environments.entries.names.filter((name) => !isRead(name)),
      ...environments.problems.flatMap(({ place }) => namesAt(place)),
    ]);
    const theirs = readSuites.filter(({ file }) => !file.startsWith(builtIn));
    throw invalid([
      ...problems,
      ...wrongInSuites(theirs, { ...partsWith(readable, systems), broken: brokenNames }),
    ]);
  }
  const parts = late(() => partsWith(faults, environments.entries.all()));
  // Each suite when it is asked for: all of them take ten times as long to read as one does.
  const lateSuites = found.flatMap(({ kind, folder, file }) =>
    suitesLater && kind === "suites" ? [{ name: folder, file, read: late(() => readSuite(file)) }] : [],
  );
  const placedSuites = late(() =>
    suitesLater ? lateSuites.map(({ file, read }) => ({ entry: read(), file, files: [] })) : readSuites,
  );
  const allProblems = late(() => problemsIn(placedSuites(), parts, suitesLater));
  if (!suitesLater) allProblems();
  return {
    faults: createEntries("faults", entriesOf(faults)),
    noises: createEntries("noises", entriesOf(noises)),
    oracles: createEntries("oracles", entriesOf(oracles)),
    tools: createEntries("tools", entriesOf(tools)),
    tasks: createEntries("tasks", entriesOf(tasks)),
    agents: createEntries("agents", entriesOf(agents)),
    suites: suitesLater
      ? createLateEntries("suites", new Map(lateSuites.map(({ name, read }) => [name, read])))
      : createEntries("suites", entriesOf(suites)),
    get problems() {
      return allProblems();
    },
    environments: environments.entries,
    replaced: environments.replaced,
  };
}

/** The problems of all suites; `later`: those of a suite are read when they are asked for. Throws `invalid-catalogue`. */
function problemsIn(
  placed: readonly PlacedSuite[],
  parts: () => ProblemParts,
  later: boolean,
): Catalogue["problems"] {
  const made = placed
    .filter(hasProblems)
    .map((suite) => ({ suite, resolved: late(() => resolveProblems(suite, parts())) }));
  const wrong = later ? [] : made.flatMap(({ resolved }) => resolved().wrong);
  if (wrong.length > 0) throw invalid(wrong);
  const ofFaults = placed.flatMap(({ entry }) =>
    entry.cases.length + entry.draw.length > 0 ? [entry.name] : [],
  );
  return createProblems(
    new Map(
      made.map(({ suite, resolved }) => {
        const all = () => whole(resolved());
        const isDrawn = suite.entry.values === "drawn" && suite.entry.pools.length > 0;
        const at = (seed: number) => problemsAt(suite, parts(), seed, all());
        return [suite.entry.name, { all, ...(isDrawn && { at }) }];
      }),
    ),
    ofFaults,
    parts,
  );
}

/** An entry's file is in a folder of its name, or has it. */
const namesAt = (place: string): string[] => [basename(dirname(place)), basename(place, ".yaml")];

/** Those that can be read: an environment is read when it is asked for. */
const readableIn = ({ names, get }: Entries<Environment>): Environment[] =>
  names.flatMap((name) => {
    try {
      return [get(name)];
    } catch {
      return [];
    }
  });

/** A suite with its problems in files of their own, as far as they can be read, and what is wrong in those. */
async function withProblemFiles({
  found: { file },
  result,
}: {
  readonly found: FoundEntry;
  readonly result: ReadEntry;
}): Promise<{ readonly suite: PlacedSuite | undefined; readonly wrong: readonly Wrong[] }> {
  const { problems: files, wrong } = await readProblemFiles(file);
  const suite = "entry" in result ? { entry: result.entry as Suite } : result.rest;
  return { suite: suite && { ...suite, file, files }, wrong };
}

/** What is wrong in the suites, as far as it can be said beside entries that are wrong themselves: their code may throw. */
function wrongInSuites(suites: readonly PlacedSuite[], parts: ProblemParts): Wrong[] {
  return suites.flatMap((suite) => {
    try {
      return resolveProblems(suite, parts).wrong;
    } catch {
      return [];
    }
  });
}

/** Whether an entry can be read at once when it is needed: suites may be code, and have problems in files beside them. */
function isAllInOneFile({ kind, file }: FoundEntry): boolean {
  return kind !== "suites" || (file.endsWith(".yaml") && !existsSync(join(dirname(file), "problems")));
}

/** The problems of a suite with which nothing is wrong. */
function whole({ problems, wrong }: ReturnType<typeof resolveProblems>): readonly SuiteProblem[] {
  if (wrong.length > 0) throw invalid(wrong);
  return problems;
}

/** Made at the first use. */
function late<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const byName = <T extends { readonly name: string }>(placed: readonly Placed<T>[]): Map<string, T> =>
  new Map(placed.map(({ entry }) => [entry.name, entry]));
const entriesOf = <T>(placed: readonly Placed<T>[]): T[] => placed.map(({ entry }) => entry);

function invalid(problems: readonly Wrong[]): Error {
  const lines = problems.slice(0, mostShown).map(({ place, field, expected }) => {
    const what = typeof expected === "string" ? `expected ${expected}` : expected.sentence;
    return `  - ${place}${field === "" ? "" : `, ${field}`}: ${what}`;
  });
  const more = problems.length > mostShown ? [`  - ... and ${problems.length - mostShown} more`] : [];
  return terminal("invalid-catalogue", `the catalogue cannot be loaded:\n${[...lines, ...more].join("\n")}`, {
    problems: problems.slice(0, mostShown),
  });
}
