import type { ProblemPool, ProblemRule, Suite } from "@microremed/catalogue";
import { Watch } from "@microremed/contracts";
import { notKnown } from "../known-names.ts";
import { faultNames, type ProblemParts, unknown } from "./problem-issues.ts";
import { faultTargetsIn } from "./targets-in.ts";

/** Something wrong in a suite. `expected` is to be read after "expected". */
interface WrongPart {
  readonly field: string;
  readonly expected: string;
  /** The name that nothing loaded has; absent: it is about something else. */
  readonly name?: string;
}

/** What is wrong in rules, pools and defaults, of which no problem can complain: names that make no problem, numbers. */
export function wrongParts({ defaults, rules, pools }: Suite, parts: ProblemParts): WrongPart[] {
  const withoutTask = ({ tasks = defaults.tasks }: ProblemRule | ProblemPool, field: string): WrongPart[] =>
    tasks?.length ? [] : [{ field: `${field}.tasks`, expected: "a task, here or in the suite's defaults" }];
  return [
    ...named("defaults.tasks", "task", defaults.tasks, [...parts.tasks]),
    ...rules.flatMap((rule, i) => [
      ...withoutTask(rule, `rules[${i}]`),
      ...inRule(rule, `rules[${i}]`, parts),
    ]),
    ...pools.flatMap((pool, i) => [
      ...withoutTask(pool, `pools[${i}]`),
      ...inPool(pool, `pools[${i}]`, parts),
      ...watchedBlindly(pool, defaults, `pools[${i}]`, parts),
    ]),
  ];
}

function named(
  field: string,
  noun: string,
  names: readonly string[] = [],
  known: readonly string[],
): WrongPart[] {
  return names.filter((name) => !known.includes(name)).map((name) => unknown(field, noun, name, known));
}

function inRule(
  { environments, faults, targets = [], strengths = {}, tasks }: ProblemRule,
  field: string,
  parts: ProblemParts,
): WrongPart[] {
  const known = faultNames(parts.faults);
  const possible = possibleTargets(environments, faults, parts);
  const isAny = faults.every((name) => parts.faults.has(name));
  return [
    ...named(`${field}.environments`, "environment", environments, [...parts.environments.keys()]),
    ...named(`${field}.faults`, "fault", faults, known),
    ...named(`${field}.tasks`, "task", tasks, [...parts.tasks]),
    ...targets
      .filter((target) => isAny && !possible.has(target))
      .map((target) => ({
        field: `${field}.targets`,
        expected: `a target that one of the faults can have there, ${notKnown(target, [...possible].toSorted())}`,
      })),
    ...Object.entries(strengths).flatMap(([strength, of]) =>
      named(`${field}.strengths.${strength}`, "fault", Object.keys(of), known),
    ),
  ];
}

function inPool(
  { environments, tasks, faults, parameters, noises, standIns, each, healthy, noisesEach }: ProblemPool,
  field: string,
  parts: ProblemParts,
): WrongPart[] {
  const known = faultNames(parts.faults);
  const all = Object.values(faults).flat();
  const mostEach = Math.max(...noisesEach);
  return [
    ...named(`${field}.environments`, "environment", environments, [...parts.environments.keys()]),
    ...named(`${field}.tasks`, "task", tasks, [...parts.tasks]),
    ...Object.entries(faults).flatMap(([group, names]) =>
      named(`${field}.faults.${group}`, "fault", names, known),
    ),
    ...Object.keys(parameters)
      .filter((name) => !all.includes(name))
      .map((name) => ({
        field: `${field}.parameters`,
        expected: `a fault of the pool, ${notKnown(name, all)}`,
      })),
    ...named(`${field}.noises`, "noise", noises, [...parts.noises.keys()]),
    ...named(`${field}.standIns`, "noise", standIns, [...parts.noises.keys()]),
    ...(healthy > each
      ? [{ field: `${field}.healthy`, expected: `at most \`each\` (${each}), not ${healthy}` }]
      : []),
    ...(mostEach > noises.length
      ? [
          {
            field: `${field}.noisesEach`,
            expected: `at most as many as there are \`noises\` (${noises.length}), not ${mostEach}`,
          },
        ]
      : []),
    ...(healthy < each ? environments : [])
      .filter((name) => {
        const environment = parts.environments.get(name);
        const possible = (fault: string): boolean => {
          const entry = parts.faults.get(fault);
          return (
            entry !== undefined && environment !== undefined && faultTargetsIn(entry, environment).length > 0
          );
        };
        return environment !== undefined && !all.some(possible);
      })
      .map((name) => ({ field: `${field}.faults`, expected: `a fault that ${name} can have` })),
  ];
}

/**
 * A fault is in any window alike, so an alarm that is always raised in the same one is within reach of
 * `withinWindows` of `windows` faults. With more of them than healthy problems it would be worth more than no alarm ever.
 */
function watchedBlindly(
  { tasks, each, healthy, watch }: ProblemPool,
  defaults: Suite["defaults"],
  field: string,
  { watches }: ProblemParts,
): WrongPart[] {
  if (!(tasks ?? defaults.tasks ?? []).some((task) => watches.has(task))) return [];
  const { windows, withinWindows } = watch ?? defaults.watch ?? Watch.parse({});
  const found = ((each - healthy) * Math.min(withinWindows, windows)) / windows;
  if (found <= healthy) return [];
  const most = Math.floor((windows * healthy) / (each - healthy));
  const expected =
    most < 1
      ? `more \`healthy\` problems than ${healthy} of ${each}: an alarm always in the same window would solve more than none`
      : `at most ${most} of ${windows} \`windows\`, not ${withinWindows}: an alarm always in the same one would solve more problems than none`;
  return [{ field: most < 1 ? `${field}.healthy` : `${field}.watch.withinWindows`, expected }];
}

/** What any of the faults can be injected into, in any of the environments. */
function possibleTargets(
  environments: readonly string[],
  faults: readonly string[],
  parts: ProblemParts,
): ReadonlySet<string> {
  const systems = environments.flatMap((name) => parts.environments.get(name) ?? []);
  const kinds = faults.flatMap((name) => parts.faults.get(name) ?? []);
  return new Set(systems.flatMap((system) => kinds.flatMap((fault) => faultTargetsIn(fault, system))));
}
