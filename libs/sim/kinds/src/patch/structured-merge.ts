import { isRecord, type Loose, type LooseRecord } from "@microremed/sim-objects";
import { elementsOf, isGranular } from "./field-set.ts";
import { type FieldTree, isMember, stepsOf } from "./field-tree.ts";
import type { MergeRules } from "./merge-rules.ts";

/** The live value with what is applied put over it, field by field and element by element. */
export function structuredMerge(
  rules: MergeRules,
  live: Loose,
  applied: Loose,
  path: readonly string[] = [],
): Loose {
  if (Array.isArray(live) && Array.isArray(applied)) {
    const old = elementsOf(rules, path, live);
    const now = elementsOf(rules, path, applied);
    if (!old || !now) return applied;
    for (const [step, item] of now) {
      const before = old.get(step);
      old.set(step, before === undefined ? item : structuredMerge(rules, before, item, path));
    }
    return [...old.values()];
  }
  if (!isRecord(live) || !isRecord(applied) || !isGranular(rules, path, applied)) return applied;
  const result: LooseRecord = { ...live };
  for (const [key, value] of Object.entries(applied)) {
    result[key] = live[key] === undefined ? value : structuredMerge(rules, live[key], value, [...path, key]);
  }
  return result;
}

/** An element stays what it is as long as anything of it stays. */
function keysOf(step: string, item: LooseRecord): LooseRecord {
  const keys: string[] = step.startsWith("k:") ? Object.keys(JSON.parse(step.slice(2))) : [];
  return Object.fromEntries(keys.filter((key) => key in item).map((key) => [key, item[key]]));
}

/** The value without these fields; undefined when nothing is left of it. */
export function withoutFields(
  rules: MergeRules,
  value: Loose,
  fields: FieldTree,
  path: readonly string[] = [],
): Loose {
  if (stepsOf(fields).length === 0) return isMember(fields) ? undefined : value;
  if (Array.isArray(value)) {
    const elements = elementsOf(rules, path, value);
    if (!elements) return value;
    for (const [step, item] of [...elements]) {
      const inner = fields[step];
      if (!inner) continue;
      const left = isMember(inner) ? undefined : withoutFields(rules, item, inner, path);
      if (left === undefined) elements.delete(step);
      else elements.set(step, isRecord(item) ? { ...keysOf(step, item), ...left } : left);
    }
    return elements.size > 0 ? [...elements.values()] : undefined;
  }
  if (!isRecord(value)) return value;
  const result: LooseRecord = {};
  for (const [key, inner] of Object.entries(value)) {
    const gone = fields[`f:${key}`];
    const left = gone ? withoutFields(rules, inner, gone, [...path, key]) : inner;
    if (left !== undefined) result[key] = left;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}
