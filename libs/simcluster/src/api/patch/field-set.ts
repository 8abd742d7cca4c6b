import type { NewObject } from "../../objects.ts";
import { jsonEqual } from "../../store/json-equal.ts";
import { isRecord, type Loose, type LooseRecord } from "../loose.ts";
import { listMerge } from "./merge-keys.ts";

/** A step into an object (`f:name`) or to the list element with these keys (`k:{...}`) or this value (`v:...`). */
type Step = string;

export interface Field {
  readonly steps: readonly Step[];
  /** `.spec.replicas`, as conflicts print it. */
  readonly text: string;
  readonly value?: Loose;
}

/** The leaf fields of an applied configuration. */
export interface FieldSet extends ReadonlyMap<string, Field> {
  /** As fieldsV1. */
  toJson(): Loose;
}

const notOwned = new Set(["apiVersion", "kind", "status"]);
const notOwnedMetadata = new Set([
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "generation",
]);

function stepText(step: Step): string {
  const content = step.slice(2);
  if (step.startsWith("f:")) return `.${content}`;
  if (step.startsWith("v:")) return `[=${content}]`;
  const keys = Object.entries(JSON.parse(content)).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `[${keys.join(",")}]`;
}

function fieldOf(steps: readonly Step[], value?: Loose): Field {
  return { steps, text: steps.map(stepText).join(""), value };
}

function collectList(
  kind: string,
  path: readonly string[],
  steps: readonly Step[],
  list: readonly Loose[],
  into: Map<string, Field>,
): void {
  const how = listMerge(kind, path);
  if (how === undefined) into.set(steps.join("\0"), fieldOf(steps, list));
  for (const item of how === undefined ? [] : list) {
    if (how === "set") {
      const inner = [...steps, `v:${JSON.stringify(item)}`];
      into.set(inner.join("\0"), fieldOf(inner, item));
    } else if (isRecord(item) && how !== undefined) {
      const element = [...steps, `k:${JSON.stringify({ [how.key]: item[how.key] })}`];
      into.set(element.join("\0"), fieldOf(element));
      collect(kind, path, element, item, into);
    }
  }
}

function collect(
  kind: string,
  path: readonly string[],
  steps: readonly Step[],
  value: Loose,
  into: Map<string, Field>,
): void {
  if (Array.isArray(value)) collectList(kind, path, steps, value, into);
  else if (!isRecord(value) || Object.keys(value).length === 0) {
    into.set(steps.join("\0"), fieldOf(steps, value));
  } else {
    for (const [key, inner] of Object.entries(value)) {
      if (path.length === 0 && notOwned.has(key)) continue;
      if (path.length === 1 && path[0] === "metadata" && notOwnedMetadata.has(key)) continue;
      collect(kind, [...path, key], [...steps, `f:${key}`], inner, into);
    }
  }
}

class Fields extends Map<string, Field> implements FieldSet {
  toJson(): Loose {
    const root: LooseRecord = {};
    for (const { steps } of this.values()) {
      let node = root;
      for (const step of steps) {
        node[step] ??= {};
        node = node[step];
      }
      if (steps.at(-1)?.startsWith("k:")) node["."] = {};
    }
    return root;
  }
}

export function fieldSetOf(object: NewObject, kind: string): FieldSet {
  const fields = new Fields();
  collect(kind, [], [], object, fields);
  return fields;
}

function walk(node: Loose, steps: readonly Step[], into: Map<string, Field>): void {
  const inner = Object.keys(node).filter((key) => key !== ".");
  if (inner.length === 0 || "." in node) into.set(steps.join("\0"), fieldOf(steps));
  for (const key of inner) walk(node[key], [...steps, key], into);
}

/** Fields of a managedFields entry. */
export function parseFieldSet(fieldsV1: Loose): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  if (isRecord(fieldsV1)) walk(fieldsV1, [], fields);
  return fields;
}

function removeAt(value: Loose, steps: readonly Step[]): Loose {
  const [step, ...rest] = steps;
  if (step === undefined) return undefined;
  if (step.startsWith("f:")) {
    if (!isRecord(value)) return value;
    const key = step.slice(2);
    if (!(key in value)) return value;
    const { [key]: inner, ...others } = value;
    const changed = removeAt(inner, rest);
    return changed === undefined ? others : { ...value, [key]: changed };
  }
  if (!Array.isArray(value)) return value;
  const wanted = JSON.parse(step.slice(2));
  const isIt = (item: Loose): boolean =>
    step.startsWith("v:")
      ? jsonEqual(item, wanted)
      : isRecord(item) && Object.entries(wanted).every(([key, part]) => item[key] === part);
  return value.flatMap((item) => {
    if (!isIt(item)) return [item];
    const changed = removeAt(item, rest);
    return changed === undefined ? [] : [changed];
  });
}

/** The object without these fields; elements of lists that nothing describes any more go as a whole. */
export function removeFields<T>(object: T, fields: readonly Field[]): T {
  let result: Loose = object;
  const outerFirst = [...fields].sort((a, b) => a.steps.length - b.steps.length);
  for (const { steps } of outerFirst) result = removeAt(result, steps);
  return result;
}
