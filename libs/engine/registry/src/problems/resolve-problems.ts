import {
  Information,
  mostProblems,
  type Problem,
  type ProblemFormat,
  type Suite,
} from "@microremed/catalogue";
import type { Wrong } from "../wrong.types.ts";
import { drawPools } from "./draw-pools.ts";
import { expandRule } from "./expand-rule.ts";
import { type MadeProblem, whereWritten } from "./made-problem.ts";
import { type ProblemParts, problemIssues } from "./problem-issues.ts";
import { asWritten, isAbout } from "./read-leniently.ts";
import { wrongParts } from "./wrong-parts.ts";

/** A suite, its file, and its problems in files of their own. */
export interface PlacedSuite {
  readonly entry: Suite;
  readonly file: string;
  readonly files: readonly ProblemFile[];
  /** Its fields that are wrong, and so not in `entry`; of lists, which items of the file's are left. Absent: nothing is wrong. */
  readonly leftOut?: readonly string[];
  readonly kept?: Readonly<Record<string, readonly number[]>>;
}

/** A problem in a file of its own. */
export interface ProblemFile {
  readonly format: ProblemFormat;
  readonly file: string;
  /** Its fields that are wrong, and so not in `format`. */
  readonly leftOut: readonly string[];
}

/** The problems of a suite, complete, in their order; and everything that is wrong with them. */
export function resolveProblems(
  suite: PlacedSuite,
  parts: ProblemParts,
): { problems: Problem[]; wrong: Wrong[] } {
  const { defaults, elsewhere } = suite.entry;
  const found = new Map<string, Wrong>();
  const isSaid = saidOf(suite);
  const say = (place: string, as: string, expected: string): void => {
    const field = place === suite.file ? asWritten(as, suite.kept ?? {}) : as;
    if (!isSaid(place, field)) found.set(`${place} ${field} ${expected}`, { place, field, expected });
  };
  for (const { field, expected, name } of wrongParts(suite.entry, parts))
    if (!isBroken(name, parts)) say(suite.file, field, expected);
  const all = problemsMade(suite, parts);
  if (isEmpty(suite) && suite.leftOut === undefined)
    say(
      suite.file,
      "",
      "something to run: `problems`, `rules`, `pools`, files in `problems/`, `cases` or `draw`",
    );
  if (all.length > mostProblems)
    say(suite.file, "rules", `at most ${mostProblems} problems in all, not ${all.length}`);
  const seen = new Set<string>();
  const problems = all.slice(0, mostProblems).map((made) => {
    const { format } = made;
    const full = { ...defaults, ...format };
    const issues = problemIssues(full, parts);
    const sayOf = (field: string, expected: string): void => {
      const written = whereWritten(made, field, defaults);
      say(written.startsWith("defaults.") ? suite.file : (made.file ?? suite.file), written, expected);
    };
    if (seen.has(format.id.toLowerCase()))
      sayOf("id", `a name that no other problem has, not "${format.id}"`);
    seen.add(format.id.toLowerCase());
    if (!full.tasks?.length) sayOf("tasks", "a task, here or in the suite's defaults");
    if (!elsewhere) for (const one of issues) if (!isBroken(one.name, parts)) sayOf(one.field, one.expected);
    if (!elsewhere && format.never !== undefined)
      sayOf("never", "nothing: only a suite of problems from elsewhere has such");
    const lacks = full.never === undefined ? [...new Set(issues.map(({ lack }) => lack))] : [full.never];
    return problemOf(suite.entry, format, lacks);
  });
  return { problems, wrong: [...found.values()] };
}

/** What is wrong with the entry itself is said already. */
const isBroken = (name: string | undefined, { broken }: ProblemParts): boolean =>
  name !== undefined && broken?.has(name) === true;

/** Whether something wrong is about a field that is left out, in a problem or in the suite's defaults. */
function saidOf({ file, leftOut = [], files }: PlacedSuite): (place: string, field: string) => boolean {
  const leftOutOf = new Map([[file, leftOut], ...files.map((one) => [one.file, one.leftOut] as const)]);
  const defaults = leftOut.flatMap((field) => (field.startsWith("defaults.") ? [field.slice(9)] : []));
  return (place, field) =>
    isAbout(field, leftOutOf.get(place) ?? []) ||
    isAbout(field.replace(/^(?:problems|rules|pools)\[\d+\]\./, ""), defaults);
}

/**
 * The problems of a suite's pools with what is around their incidents drawn from a seed. They are of the names and incidents of
 * `resolved`, those of the whole suite, which was checked: what is drawn is from the same lists.
 */
export function problemsAt(
  { entry }: PlacedSuite,
  parts: ProblemParts,
  seed: number,
  resolved: readonly Problem[],
): Problem[] {
  const lacks = new Map(resolved.map(({ id, missing }) => [id, missing]));
  return drawPools(entry.name, entry.pools, parts, entry.defaults.tasks, seed).map(({ format }) => {
    const problem = problemOf(entry, format, []);
    return { ...problem, missing: lacks.get(problem.id) ?? [] };
  });
}

/** Whether a suite has problems, and not only faults to run. */
export function hasProblems({ entry: { problems, rules, pools }, files }: PlacedSuite): boolean {
  return [problems, rules, pools, files].some(({ length }) => length > 0);
}

const isEmpty = (suite: PlacedSuite): boolean =>
  !hasProblems(suite) && suite.entry.cases.length + suite.entry.draw.length === 0;

/** Every problem of a suite in its order: listed ones, those in files of their own, those of rules, drawn ones. */
function problemsMade({ entry: suite, files }: PlacedSuite, parts: ProblemParts): MadeProblem[] {
  const { defaults, name, pools, rules } = suite;
  return [
    ...suite.problems.map((format, i) => ({ format, written: { "": `problems[${i}]` } })),
    ...files.map(({ format, file }) => ({ format, written: {}, file })),
    ...rules.flatMap((rule, i) => expandRule(rule, `rules[${i}]`, parts, defaults.tasks)),
    ...drawPools(name, pools, parts, defaults.tasks),
  ];
}

function problemOf(
  { name: suite, defaults, values }: Suite,
  made: ProblemFormat,
  missing: readonly string[],
): Problem {
  const format = { ...defaults, ...made };
  const {
    id,
    environment,
    incident,
    tasks = [],
    limits = {},
    noise = [],
    heldOut = [],
    note = null,
  } = format;
  return {
    id: `${suite}/${id}`,
    suite,
    title: format.title ?? titleOf(format),
    environment,
    incident,
    tasks,
    information: format.information ?? Information.parse({}),
    limits,
    ...(format.watch && { watch: format.watch }),
    noise,
    ...(format.askedAfter !== undefined && { askedAfter: format.askedAfter }),
    ...(format.workload && { workload: format.workload }),
    heldOut,
    note,
    missing,
    ...(values === "drawn" && { drawnValues: true as const }),
  };
}

function titleOf({ incident, environment }: ProblemFormat): string {
  if (incident.length === 0) return `nothing is wrong in ${environment}`;
  return `${incident.map(faultText).join(", ")} in ${environment}`;
}

function faultText({ fault, target, at, after, flap }: ProblemFormat["incident"][number]): string {
  const time = at > 0 ? [`after ${at} s`] : [];
  const cause = after === undefined ? [] : [`while number ${after} acts`];
  return [`${fault} on ${target}`, ...time, ...cause, ...(flap ? ["which comes and goes"] : [])].join(" ");
}
