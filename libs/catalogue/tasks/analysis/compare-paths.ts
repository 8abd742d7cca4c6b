import { isJsonObject } from "@microremed/catalogue";

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

/** What is known of an item of a list: at which place it is declared, whether it is the only one, and what it is known by. */
export interface DeclaredItem {
  readonly index: number;
  readonly isOnly: boolean;
  readonly keys: readonly string[];
}

/** Fields by which Kubernetes distinguishes the items of its lists; the change log names ports by their numbers. */
const keyFields = ["name", "port", "containerPort", "mountPath", "ip"];
const keysOf = (item: unknown): string[] =>
  isJsonObject(item) ? keyFields.flatMap((key) => (key in item ? [String(item[key])] : [])) : [];

/** For each step of a path the declared item that it names; undefined: the step names none, or nothing is declared there. */
export type DeclaredItems = readonly (DeclaredItem | undefined)[];

/**
 * Whether a path is that of the right field itself, or of something in it: all of its steps, or the last ones of them,
 * and more. The `value` of an item, such as a variable, may be left out. An item of several is named by its name or by
 * its place.
 */
export function reachesField(given: string, right: string, items: DeclaredItems = []): boolean {
  const [a, b] = [withoutValue(stepsOf(given)), withoutValue(stepsOf(right))];
  if (b.length === 0 || a.length === 0) return a.length === b.length;
  return stepsTaken(a, b, items) !== undefined;
}

/** Steps that a path goes on beyond the right field; none: it is the field itself, or another one. */
export function stepsWithin(given: string, right: string, items: DeclaredItems = []): readonly string[] {
  const steps = stepsOf(given);
  const taken = stepsTaken(steps, stepsOf(right), items);
  return taken === undefined ? [] : steps.slice(taken);
}

/** What is declared of the items that a path names. */
export function declaredItems(declared: unknown, path: string): DeclaredItems {
  let at: unknown = declared;
  return stepsOf(path).map((step) => {
    if (Array.isArray(at)) {
      const list: readonly unknown[] = at;
      const name = step.slice(1, -1);
      const index = list.findIndex(
        (item, i) => String(i) === name || (isJsonObject(item) && item["name"] === name),
      );
      at = list[index];
      return index < 0 ? undefined : { index, isOnly: list.length === 1, keys: keysOf(at) };
    }
    at = isJsonObject(at) ? at[step] : undefined;
    return undefined;
  });
}

/** What is declared at a path; undefined: nothing. */
export function declaredValue(declared: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((at, step) => {
    if (!Array.isArray(at)) return isJsonObject(at) ? at[step] : undefined;
    const name = step.slice(1, -1);
    return at.find((item: unknown, i) => String(i) === name || (isJsonObject(item) && item["name"] === name));
  }, declared);
}

/** How many steps of a path make up the right one, or its end; undefined: they are another field's. */
function stepsTaken(a: readonly string[], b: readonly string[], items: DeclaredItems): number | undefined {
  for (let from = 0; from < b.length; from += 1) {
    const taken = stepsAlong(a, b.slice(from), items.slice(from));
    if (taken !== undefined) return taken;
  }
  return undefined;
}

function stepsAlong(a: readonly string[], b: readonly string[], items: DeclaredItems): number | undefined {
  let taken = 0;
  for (const [i, step] of b.entries()) {
    const given = a[taken];
    if (given !== undefined && isSameStep(given, step, items[i])) taken += 1;
    else if (i === 0 || i === b.length - 1) return undefined;
    // `spec.ports.targetPort` leaves out the item.
    else if (!isItem(step) || given === undefined || isItem(given) || items[i]?.isOnly === false)
      return undefined;
  }
  return taken;
}

const withoutValue = (steps: readonly string[]): readonly string[] =>
  steps.at(-1) === "value" ? steps.slice(0, -1) : steps;

function commonSteps(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((step, i) => !isSameStep(step, b[i]));
  return end < 0 ? Math.min(a.length, b.length) : end;
}

const isItem = (step: string): boolean => step.startsWith("[");

function isSameStep(a: string, b: string | undefined, item?: DeclaredItem): boolean {
  if (a === b) return true;
  if (b === undefined || !isItem(a) || !isItem(b)) return false;
  if (b === anyItem || isPlace(b)) return true;
  if (a === anyItem) return item?.isOnly ?? true;
  if (item?.keys.includes(a.slice(1, -1))) return true;
  return isPlace(a) && (item === undefined || a === `[${item.index}]`);
}

const anyItem = "[]";
const isPlace = (step: string): boolean => /^\[\d+\]$/.test(step);

function stepsOf(path: string): string[] {
  const steps = path.trim().match(/\[[^\]]*\]|[^./[\]]+/g) ?? [];
  return steps.map((step) => {
    if (/^\d+$/.test(step)) return `[${step}]`;
    if (step === "[*]") return anyItem;
    if (!isItem(step)) return step;
    return `[${step.slice(1, -1).replace(/^.*(?:name|key|[pP]ort|mountPath|ip)\s*=+\s*/, "")}]`.replace(
      /["')]/g,
      "",
    );
  });
}
