import {
  Information,
  mostProblems,
  type Problem,
  type ProblemFormat,
  type Suite,
  targetText,
} from "@microremed/catalogue";
import { oneOf } from "@microremed/core";
import type { Problem as Wrong } from "../find-entries.ts";
import { expandRule } from "./expand-rule.ts";
import { type ProblemParts, problemIssues } from "./problem-issues.ts";

/** A suite, its file, and its problems in files of their own. */
export interface PlacedSuite {
  readonly entry: Suite;
  readonly file: string;
  readonly files: readonly ProblemFormat[];
}

/** The problems of a suite, complete, in their order; and everything that is wrong with them. */
export function resolveProblems(
  { entry: suite, file, files }: PlacedSuite,
  parts: ProblemParts,
): { problems: Problem[]; wrong: Wrong[] } {
  const { defaults, elsewhere } = suite;
  const wrong: Wrong[] = [];
  const say = (field: string, expected: string): void => void wrong.push({ place: file, field, expected });
  const made = suite.rules.flatMap((rule, i) => {
    for (const [field, name] of unknownInRule(rule, parts)) say(`rules[${i}].${field}`, name);
    const tasks = rule.tasks ?? defaults.tasks ?? [];
    if (tasks.length === 0) say(`rules[${i}].tasks`, "a task, here or in the suite's defaults");
    return expandRule(rule, parts, tasks).map((format) => ({ format, field: `rules[${i}]` }));
  });
  const listed = suite.problems.map((format, i) => ({ format, field: `problems[${i}]` }));
  const beside = files.map((format) => ({ format, field: `problems/${format.id}` }));
  const all = [...listed, ...beside, ...made];
  if (all.length > mostProblems) say("rules", `at most ${mostProblems} problems in all, not ${all.length}`);
  const seen = new Set<string>();
  const problems = all.slice(0, mostProblems).map(({ format, field }) => {
    const full = { ...defaults, ...format };
    const issues = problemIssues(full, parts);
    if (seen.has(format.id.toLowerCase()))
      say(`${field}.id`, `a name that no other problem has, not "${format.id}"`);
    seen.add(format.id.toLowerCase());
    if (!full.tasks?.length) say(`${field}.tasks`, "a task, here or in the suite's defaults");
    if (!elsewhere) for (const one of issues) say(`${field}.${one.field}`, one.expected);
    if (!elsewhere && format.never !== undefined)
      say(`${field}.never`, "nothing: only a suite of problems from elsewhere has such");
    const lacks = full.never === undefined ? [...new Set(issues.map(({ lack }) => lack))] : [full.never];
    return problemOf(suite.name, full, lacks);
  });
  return { problems, wrong };
}

/** Names in a rule that would make no problem, and of which no problem can therefore complain. */
function unknownInRule(
  { environments, faults, targets = [], strengths = {}, tasks = [] }: Suite["rules"][number],
  parts: ProblemParts,
): [field: string, expected: string][] {
  const named = (field: string, names: readonly string[], known: ReadonlyMap<string, unknown>) =>
    names
      .filter((name) => !known.has(name))
      .map((name): [string, string] => [field, `names of ${field} that are loaded, not "${name}"`]);
  const possible = possibleTargets(environments, faults, parts);
  const isAny = faults.every((name) => parts.faults.has(name));
  return [
    ...named("environments", environments, parts.environments),
    ...named("faults", faults, parts.faults),
    ...tasks
      .filter((task) => !parts.tasks.has(task))
      .map((task): [string, string] => ["tasks", `names of tasks that are loaded, not "${task}"`]),
    ...targets
      .filter((target) => isAny && !possible.has(target))
      .map((target): [string, string] => [
        "targets",
        `a target that one of the faults can have there (${oneOf([...possible].toSorted())}), not "${target}"`,
      ]),
    ...Object.entries(strengths).flatMap(([strength, of]) =>
      named("faults", Object.keys(of), parts.faults).map(([, expected]): [string, string] => [
        `strengths.${strength}`,
        expected,
      ]),
    ),
  ];
}

/** What any of the faults can be injected into, in any of the environments. */
function possibleTargets(
  environments: readonly string[],
  faults: readonly string[],
  parts: ProblemParts,
): ReadonlySet<string> {
  const systems = environments.flatMap((name) => parts.environments.get(name) ?? []);
  const kinds = faults.flatMap((name) => parts.faults.get(name) ?? []);
  return new Set(
    systems.flatMap((system) => kinds.flatMap((fault) => fault.targets(system).map(targetText))),
  );
}

function problemOf(suite: string, format: ProblemFormat, missing: readonly string[]): Problem {
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
    ...(format.workload && { workload: format.workload }),
    heldOut,
    note,
    missing,
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
