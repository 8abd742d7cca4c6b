/** Less in common than this is nothing: `spec` begins nearly every path. */
const leastShare = 0.5;

/**
 * How well two paths of fields agree, from 0 to 1: twice the steps that they have in common at their beginning or at
 * their end, by the steps of both. A JSON pointer, `containers[0]` and `containers[name=server]` are read; a number or
 * nothing between brackets means any item.
 */
export function comparePaths(given: string, right: string): number {
  const [a, b] = [stepsOf(given), stepsOf(right)];
  if (b.length === 0 || a.length === 0) return Number(a.length === b.length);
  const common = Math.max(commonSteps(a, b), commonSteps(a.toReversed(), b.toReversed()));
  const share = (2 * common) / (a.length + b.length);
  return share < leastShare ? 0 : share;
}

/**
 * Whether a path is that of the right field itself, or of something in it: the same last step, or all of its steps and more. The `value`
 * of an item, such as a variable, may be left out.
 */
export function reachesField(given: string, right: string): boolean {
  const [a, b] = [withoutValue(stepsOf(given)), withoutValue(stepsOf(right))];
  if (b.length === 0 || a.length === 0) return a.length === b.length;
  return commonSteps(a.toReversed(), b.toReversed()) > 0 || commonSteps(a, b) === b.length;
}

/** Steps that a path goes on beyond the right field; none: it is the field itself, or another one. */
export function stepsWithin(given: string, right: string): readonly string[] {
  const [a, b] = [stepsOf(given), stepsOf(right)];
  return commonSteps(a, b) === b.length ? a.slice(b.length) : [];
}

const withoutValue = (steps: readonly string[]): readonly string[] =>
  steps.at(-1) === "value" ? steps.slice(0, -1) : steps;

function commonSteps(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((step, i) => !isSameStep(step, b[i]));
  return end < 0 ? Math.min(a.length, b.length) : end;
}

const isSameStep = (a: string, b: string | undefined): boolean =>
  a === b || (a.startsWith("[") && b?.startsWith("[") === true && (a === anyItem || b === anyItem));

const anyItem = "[]";

function stepsOf(path: string): string[] {
  const steps = path.trim().match(/\[[^\]]*\]|[^./[\]]+/g) ?? [];
  return steps.map((step) => {
    if (/^\d+$/.test(step) || /^\[(\d*|\*)\]$/.test(step)) return anyItem;
    if (!step.startsWith("[")) return step;
    return `[${step.slice(1, -1).replace(/^.*(?:name|key)\s*=+\s*/, "")}]`.replace(/["')]/g, "");
  });
}
