import type { Problem } from "@microremed/catalogue";

/** A problem at one of its tasks, and its number among those of this task, from 0. */
export interface AskedProblem {
  readonly problem: Problem;
  readonly number: number;
  /** Number of the suite's problems of this task. */
  readonly of: number;
}

/** What an agent sees or knows of a problem besides the incident; undefined: it does not have it. */
export type Property = (asked: AskedProblem) => string | undefined;

/** Steps in the order of a suite that are tried: the turns of a rule are shorter. */
const steps = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Single properties of problems that agents may see, by name. `noises`: names of all that there are. */
export function visibleProperties(noises: readonly string[]): ReadonlyMap<string, Property> {
  return new Map<string, Property>([
    ["environment", ({ problem }) => problem.environment],
    ["load", ({ problem }) => JSON.stringify(problem.workload ?? null)],
    ["limits", ({ problem }) => JSON.stringify([problem.limits, problem.watch, problem.information])],
    ["number of noises", ({ problem }) => String(problem.noise.length)],
    ["age of the oldest noise", ageOfNoise],
    ["workloads with a noise", ({ problem }) => problem.noise.map(({ target = "" }) => target).join()],
    ...noises.flatMap((name): [string, Property][] => [
      [`noise ${name}`, ({ problem }) => String(problem.noise.some(({ noise }) => noise === name))],
      [
        `parameters of the noise ${name}`,
        ({ problem }) => {
          const found = problem.noise.find(({ noise }) => noise === name);
          return found && JSON.stringify(found.parameters ?? {});
        },
      ],
    ]),
    ["part of the suite", ({ number, of }) => String(Math.floor((number * 4) / of))],
    ...steps.map((step): [string, Property] => [
      `place in a turn of ${step}`,
      ({ number }) => String(number % step),
    ]),
  ]);
}

/** In minutes, when the agent is asked. */
function ageOfNoise({ problem: { noise, incident, askedAfter = 0 } }: AskedProblem): string | undefined {
  if (noise.length === 0) return undefined;
  const span = incident.reduce(
    (last, { at, after }) => (after === undefined ? Math.max(last, at) : last + at),
    0,
  );
  const oldest = Math.max(...noise.map(({ ago }) => ago));
  return String(Math.floor((oldest + span + askedAfter) / 60));
}
