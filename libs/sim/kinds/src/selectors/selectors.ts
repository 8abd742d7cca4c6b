import { badRequest, isRecord, type KubeObject, type Loose } from "@microremed/sim-objects";

/** Whether an object is selected. */
export type Predicate = (object: KubeObject) => boolean;

/** Splits at commas outside of parentheses. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  let inside = false;
  for (let index = 0; index <= text.length; index += 1) {
    const character = text[index];
    if (character === "(") inside = true;
    else if (character === ")") inside = false;
    else if (character === undefined || (character === "," && !inside)) {
      terms.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return terms.filter((term) => term !== "");
}

type LabelTest = (labels: Readonly<Record<string, string>>) => boolean;

const keyPattern = /^([A-Za-z0-9.-]+\/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

function labelTerm(term: string): LabelTest {
  const bad = (why: string): Error => badRequest(`unable to parse requirement: ${why}`);
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(term);
  const equality = set ? null : /^([^=!\s]+)\s*(==|=|!=)\s*([^=!]*)$/.exec(term);
  const order = set || equality ? null : /^([^<>\s]+)\s*([<>])\s*(-?\d+)$/.exec(term);
  const key = set?.[1] ?? equality?.[1] ?? order?.[1] ?? term.replace(/^!\s*/, "");
  if (!keyPattern.test(key)) {
    throw bad(`found '${term}', expected: identifier, '!', or an operator between a label key and its value`);
  }
  if (set) {
    const values = (set[3] ?? "").split(",").map((value) => value.trim());
    const inside: LabelTest = (labels) => Object.hasOwn(labels, key) && values.includes(labels[key] ?? "");
    return set[2] === "in" ? inside : (labels) => !inside(labels);
  }
  if (equality) {
    const value = (equality[3] ?? "").trim();
    if (equality[2] === "!=") return (labels) => labels[key] !== value;
    return (labels) => labels[key] === value;
  }
  if (order) {
    const [, , operator, bound] = order;
    return (labels) => {
      const value = /^-?\d+$/.test(labels[key] ?? "") ? Number(labels[key]) : Number.NaN;
      return operator === ">" ? value > Number(bound) : value < Number(bound);
    };
  }
  return term.startsWith("!")
    ? (labels) => !Object.hasOwn(labels, key)
    : (labels) => Object.hasOwn(labels, key);
}

/** `a=b,c!=d,e in (f,g),h,!i`. Throws 400 for what cannot be read. */
export function labelSelector(text: string): Predicate {
  const tests = splitTerms(text).map(labelTerm);
  return (object) => {
    const labels = object.metadata.labels ?? {};
    return tests.every((test) => test(labels));
  };
}

function valueAt(object: Loose, path: readonly string[]): string {
  let value: Loose = object;
  for (const step of path) value = isRecord(value) ? value[step] : undefined;
  return value === undefined || value === null ? "" : String(value);
}

/** `metadata.name=x,status.phase!=Running`: any dotted path; a missing field is the empty string. */
export function fieldSelector(text: string): Predicate {
  const tests = splitTerms(text).map((term): Predicate => {
    const [, field, operator, value] = /^([^=!]+)(==|=|!=)(.*)$/.exec(term) ?? [];
    if (field === undefined || value === undefined) {
      throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
    }
    const path = field.trim().split(".");
    const wanted = value.trim();
    return (object) => (valueAt(object, path) === wanted) === (operator !== "!=");
  });
  return (object) => tests.every((test) => test(object));
}

/** A LabelSelector object (matchLabels, matchExpressions) against labels. An empty one matches everything. */
export function matchesLabels(
  selector: Loose,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  const own = labels ?? {};
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    if (own[key] !== value) return false;
  }
  return (selector?.matchExpressions ?? []).every(({ key, operator, values = [] }: Loose) => {
    const value = Object.hasOwn(own, key) ? own[key] : undefined;
    if (operator === "Exists") return value !== undefined;
    if (operator === "DoesNotExist") return value === undefined;
    const inside = value !== undefined && values.includes(value);
    return operator === "In" ? inside : !inside;
  });
}
