import { isRecord, type Loose, StatusError } from "@microremed/sim-objects";
import { elementsOf } from "./field-set.ts";
import type { MergeRules } from "./merge-rules.ts";

/** `[name="main"]` as field sets name an element. */
function elementName(rules: MergeRules, names: readonly string[], list: Loose, index: number): string {
  const step = Array.isArray(list) ? [...(elementsOf(rules, names, list)?.keys() ?? [])][index] : undefined;
  if (!step?.startsWith("k:")) return `[${index}]`;
  const keys = Object.entries<Loose>(JSON.parse(step.slice(2)));
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
}

/** `spec.containers[0].foo` as `.spec.containers[name="main"].foo`. */
function fieldPath(rules: MergeRules, object: Loose, place: string): string {
  const names: string[] = [];
  let value: Loose = object;
  let text = "";
  for (const [, name, index] of place.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) {
      text += elementName(rules, names, value, Number(index));
      value = value?.[Number(index)];
    } else if (name !== undefined) {
      names.push(name);
      text += `.${name}`;
      value = isRecord(value) ? value[name] : undefined;
    }
  }
  return text;
}

/** Why a server-side apply with fields that its kind does not have is refused. `unknown`: their places. */
export function undeclaredFields(
  rules: MergeRules,
  configuration: Loose,
  unknown: readonly string[],
): StatusError {
  const { apiVersion, kind, metadata } = configuration;
  const errors = unknown.map(
    (place) => `${fieldPath(rules, configuration, place)}: field not declared in schema`,
  );
  const list = errors.length === 1 ? errors[0] : `errors:\n${errors.map((each) => `  ${each}`).join("\n")}`;
  const about = `${metadata.namespace ?? ""}/${metadata.name}; ${apiVersion}, Kind=${kind}`;
  return new StatusError(500, "", `failed to create typed patch object (${about}): ${list}`);
}
