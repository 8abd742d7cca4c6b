import { isRecord, type Loose, type LooseRecord } from "@microremed/sim-objects";

/** What OpenAPI v2, as kubectl reads it, has no word for. */
const v3Only = new Set([
  "allOf",
  "anyOf",
  "default",
  "enum",
  "nullable",
  "not",
  "oneOf",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
]);
const shape = new Set(["type", "items", "properties", "additionalProperties", "required"]);

/** Values that fit more than one type: v2 says nothing of their form. */
function isFree(schema: LooseRecord): boolean {
  return (
    schema["nullable"] === true ||
    schema["x-kubernetes-int-or-string"] === true ||
    schema["x-kubernetes-preserve-unknown-fields"] === true
  );
}

/** A CustomResourceDefinition's schema in OpenAPI v2, as the API server publishes it: looser, never stricter. */
export function v2Schema(schema: LooseRecord): LooseRecord {
  const dropped = isFree(schema) ? new Set([...v3Only, ...shape]) : v3Only;
  const kept = Object.entries(schema).filter(([key]) => !dropped.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, converted(key, value)]));
}

function converted(key: string, value: Loose): Loose {
  if (key === "properties" && isRecord(value)) {
    const properties = Object.entries(value).filter(([, inner]) => isRecord(inner));
    return Object.fromEntries(properties.map(([name, inner]) => [name, v2Schema(inner)]));
  }
  const isNested = key === "items" || key === "additionalProperties";
  return isNested && isRecord(value) ? v2Schema(value) : value;
}
