import { type Problem, targetName, targetText } from "@microremed/catalogue";
import { createRng, type Rng } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { howLikely, howLikelyPredicted, type Pair, rightByLookup } from "./how-likely.ts";
import { type AskedProblem, visibleProperties } from "./visible-properties.ts";

/** Something that a suite's problems predict before the system is observed. */
export interface Regularity {
  /** The task; empty: of all tasks together. */
  readonly task: string;
  readonly by: string;
  readonly predicted: string;
  /** How likely it is by chance. */
  readonly likely: number;
  /** What it comes to, in words. */
  readonly words: string;
}

/** Likelihood of a false finding in a whole suite. */
const level = 0.05;

/**
 * What single properties of a suite's problems predict about their incidents, more than chance does. Asked for each task, with
 * a fixed seed: whether anything is wrong, and the fault. Faults are compared within an environment, since not every
 * one fits everywhere. It is also asked whether targets are drawn among all possible ones, and noises without regard to them.
 */
export function findRegularities(
  problems: readonly Problem[],
  catalogue: Pick<Catalogue, "faults" | "noises" | "environments">,
): Regularity[] {
  const rng = createRng("regularities", problems[0]?.suite ?? "");
  const tasks = [...new Set(problems.flatMap((one) => one.tasks))];
  const found = [
    ...tasks.flatMap((task) => inTask(task, problems, catalogue, rng)),
    ...predicted(problems, "task", ({ tasks: of }) => of.join(), "", rng),
    ...targetsDrawn(problems, catalogue, rng),
    ...noisesApart(problems, catalogue, rng),
  ];
  return found.filter(({ likely }) => likely < level / found.length);
}

function inTask(
  task: string,
  problems: readonly Problem[],
  { noises }: Pick<Catalogue, "noises">,
  rng: Rng,
): Regularity[] {
  const ofTask = problems.filter(({ tasks }) => tasks.includes(task));
  const asked = new Map(
    ofTask.map((problem, number): [Problem, AskedProblem] => [
      problem,
      { problem, number, of: ofTask.length },
    ]),
  );
  return [...visibleProperties(noises.names)].flatMap(([name, property]) => {
    const visible = (problem: Problem): string | undefined => property(asked.get(problem) as AskedProblem);
    const having = ofTask.filter((problem) => visible(problem) !== undefined);
    const values = having.map((problem) => visible(problem) ?? "");
    const usual = mostFrequent(values);
    return [
      ...predicted(having, name, (problem) => visible(problem) ?? "", task, rng),
      // Many values with few problems each hide what they have alike.
      ...(new Set(values).size < 3
        ? []
        : predicted(
            having,
            `an unusual ${name}`,
            (problem) => String(visible(problem) !== usual),
            task,
            rng,
          )),
    ];
  });
}

function mostFrequent(values: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(values, (value) => value).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0];
}

function predicted(
  problems: readonly Problem[],
  by: string,
  property: (problem: Problem) => string,
  task: string,
  rng: Rng,
): Regularity[] {
  const faulty = problems.filter(({ incident }) => incident.length > 0);
  const health = problems.map(
    (one): Pair => ({
      by: property(one),
      predicted: one.incident.length > 0 ? "faulty" : "healthy",
      within: "",
    }),
  );
  const faults = faulty.map(
    (one): Pair => ({ by: property(one), predicted: one.incident[0]?.fault ?? "", within: one.environment }),
  );
  return [
    ["whether anything is wrong", health] as const,
    // Where a fault fits, the environment says.
    ...(by === "environment" ? [] : [["the fault", faults] as const]),
  ]
    .filter(([, pairs]) => new Set(pairs.map((pair) => pair.by)).size > 1)
    .map(([what, pairs]) => ({
      ...{ task, by, predicted: what },
      likely: howLikelyPredicted(pairs, rng.fork(`${task} ${by} ${what}`)),
      words: `by it alone ${rightByLookup(pairs)} of ${pairs.length} are right`,
    }));
}

/** Whether each target that a fault may have is as frequent as any other. */
function targetsDrawn(
  problems: readonly Problem[],
  { faults, environments }: Pick<Catalogue, "faults" | "environments">,
  rng: Rng,
): Regularity[] {
  const drawn = problems.flatMap(({ environment, incident: [first] }) =>
    first
      ? [
          {
            target: first.target,
            possible: faults.get(first.fault).targets(environments.get(environment)).map(targetText),
          },
        ]
      : [],
  );
  if (drawn.length === 0) return [];
  const places = drawn.map(({ target, possible }) => possible.indexOf(target));
  const spread = (of: readonly number[]): number =>
    sumOfSquares(of.map((place, i) => `${drawn[i]?.possible.length} ${place}`));
  const chance = rng.fork("targets");
  return [
    {
      ...{ task: "", by: "the list of possible targets", predicted: "the target" },
      likely: howLikely(spread(places), () =>
        spread(drawn.map(({ possible }) => chance.int(possible.length))),
      ),
      words: `${places.filter((place) => place === 0).length} of ${drawn.length} are on the first one`,
    },
  ];
}

function sumOfSquares(keys: readonly string[]): number {
  return [...Map.groupBy(keys, (key) => key).values()].reduce((sum, { length }) => sum + length * length, 0);
}

/**
 * Whether noises are as often where the fault is as where that of another problem is. What chance gives are the places of the same
 * noises in other problems of the environment: some workloads have more faults and more noises than others.
 */
function noisesApart(
  problems: readonly Problem[],
  { noises, environments }: Pick<Catalogue, "noises" | "environments">,
  rng: Rng,
): Regularity[] {
  const placed = problems.flatMap(({ environment: name, incident, noise }) => {
    const environment = environments.get(name);
    const faulty = new Set(incident.map(({ target }) => targetName({ environment, target })));
    return noise.flatMap((one) => {
      const possible = noises.get(one.noise).targets?.(environment) ?? [];
      const isPlaced = possible.length > 1 && faulty.size > 0 && one.target !== undefined;
      return isPlaced ? [{ on: one.target, within: name, faulty }] : [];
    });
  });
  if (placed.length === 0) return [];
  const placesOf = (name: string): string[] =>
    placed.flatMap(({ on, within }) => (within === name && on !== undefined ? [on] : []));
  const places = new Map(environments.names.map((name) => [name, placesOf(name)]));
  const shareOf = (where: readonly string[], faulty: ReadonlySet<string>): number =>
    where.filter((one) => faulty.has(one)).length / where.length;
  const together = placed.filter(({ on, faulty }) => on !== undefined && faulty.has(on)).length;
  const expected = placed.reduce(
    (sum, { within, faulty }) => sum + shareOf(places.get(within) ?? [], faulty),
    0,
  );
  const chance = rng.fork("noises");
  const apart = (count: number): number => Math.abs(count - expected);
  return [
    {
      ...{ task: "", by: "the workload of a noise", predicted: "where no fault is" },
      likely: howLikely(apart(together), () =>
        apart(
          placed.filter(({ within, faulty }) => faulty.has(chance.pick(places.get(within) ?? []))).length,
        ),
      ),
      words: `${together} of ${placed.length} noises are where a fault is, ${expected.toFixed(1)} by chance`,
    },
  ];
}
