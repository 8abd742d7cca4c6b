import type { ShownLeaf } from "./shown-leaves.ts";

/** What was written in a problem, and whether something is wrong: all that an agent knows that reads a change log alone. */
export interface WrittenProblem {
  readonly isFaulty: boolean;
  readonly leaves: readonly ShownLeaf[];
}

const rounds = 60;
const step = 0.3;
const penalty = 0.01;
const leastSeen = 4;

/** How much each property speaks for a fault (logistic regression with a squared penalty, by coordinates' own step sizes). */
type Rule = ReadonlyMap<string, number>;

/** A rule that is learned from problems of which it is known whether something is wrong. */
export function learnedRule(problems: readonly WrittenProblem[]): Rule {
  const usual = usualProperties(problems);
  const known = problems.map(({ isFaulty, leaves }) => ({
    isFaulty,
    of: propertiesOf(leaves).filter((one) => usual.has(one)),
  }));
  const share = known.filter(({ isFaulty }) => isFaulty).length / known.length;
  const weights = new Map<string, number>();
  const squares = new Map<string, number>();
  for (let round = 0; round < rounds; round++)
    for (const { isFaulty, of } of known) {
      // Both kinds count alike, however many there are.
      const error = ((isFaulty ? 1 : 0) - chanceOf(of, weights)) / (isFaulty ? share : 1 - share) / 2;
      for (const one of of) {
        const weight = weights.get(one) ?? 0;
        const slope = error - penalty * weight;
        const square = (squares.get(one) ?? 0) + slope ** 2;
        squares.set(one, square);
        weights.set(one, weight + (step * slope) / Math.sqrt(square + 1e-9));
      }
    }
  return weights;
}

/** Those that are in several problems: what is in one alone teaches nothing. */
function usualProperties(problems: readonly WrittenProblem[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { leaves } of problems)
    for (const one of propertiesOf(leaves)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return new Set([...counts].flatMap(([one, count]) => (count >= leastSeen ? [one] : [])));
}

/** Whether a rule says that something is wrong. */
const saysFault = (rule: Rule, { leaves }: WrittenProblem): boolean =>
  chanceOf(propertiesOf(leaves), rule) > 0.5;

function chanceOf(properties: readonly string[], rule: Rule): number {
  const sum = properties.reduce((all, one) => all + (rule.get(one) ?? 0), 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Balanced accuracy of a rule, and the interval of 95 % of it (normal approximation). By chance 0.5. */
export function accuracyOf(rule: Rule, asked: readonly WrittenProblem[]): { mean: number; least: number } {
  const right = [true, false].map((is) => {
    const some = asked.filter(({ isFaulty }) => isFaulty === is);
    const share = some.filter((one) => saysFault(rule, one) === is).length / some.length;
    return { share, variance: (share * (1 - share)) / some.length };
  });
  const mean = right.reduce((sum, { share }) => sum + share, 0) / 2;
  const deviation = Math.sqrt(right.reduce((sum, { variance }) => sum + variance, 0)) / 2;
  return { mean, least: mean - 1.96 * deviation };
}

/** What a simple reader sees: of each leaf its path and form, the words, the spelling and the size of its value; and one for all. */
function propertiesOf(leaves: readonly ShownLeaf[]): string[] {
  const seen = leaves.flatMap(({ leaf, form, was, is }) => {
    return [`${leaf} ${form}`, ...valuesOf(was, is).map((value) => `${leaf} ${value}`)];
  });
  return [...new Set(["any", ...seen])];
}

function valuesOf(was: unknown, is: unknown): string[] {
  if (is === undefined) return [];
  const text = String(is);
  const size = sizeOf(is);
  const before = sizeOf(was);
  return [
    ...text
      .split(/[^A-Za-z]+/)
      .filter((word) => word.length > 1)
      .map((word) => `has ${word}`),
    `looks like ${text
      .replaceAll(/[A-Za-z]+/g, "a")
      .replaceAll(/\d+/g, "0")
      .slice(0, 40)}`,
    ...(size === undefined ? [] : [`size ${Math.floor(Math.log2(size + 1))}`]),
    ...(size === undefined || !before ? [] : [`times ${Math.round(2 * Math.log2((size + 1e-9) / before))}`]),
  ];
}

const units: Readonly<Record<string, number>> = {
  "": 1,
  m: 1e-3,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  kb: 2 ** 10,
  mb: 2 ** 20,
  "%": 1,
};

function sizeOf(value: unknown): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([A-Za-z%]*)$/.exec(String(value ?? "")) ?? [];
  const times = units[unit];
  return number === undefined || times === undefined ? undefined : Number(number) * times;
}
