import { isRecord, type Loose } from "@microremed/sim-objects";
import type { Schema } from "../../structural-schema/schema.ts";
import { durationOf } from "./expression.ts";

/** Words that expressions cannot use as field names. */
const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** How a property is called in expressions: `__dot__`, `__dash__` and so on for what no identifier may have. */
function escapedName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
}

function textValue(format: Loose, text: string): unknown {
  if (format === "date-time" || format === "date") return new Date(text);
  if (format === "duration") return durationOf(text) ?? text;
  return format === "byte" ? new Uint8Array(Buffer.from(text, "base64")) : text;
}

const isWhole = (value: number): boolean => Number.isInteger(value);

function numberValue(schema: Schema, value: number): bigint | number {
  const isInteger = schema["type"] === "integer" || schema["x-kubernetes-int-or-string"] === true;
  return isInteger && isWhole(value) ? BigInt(value) : value;
}

const resourceFields = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: {
    type: "object",
    properties: { name: { type: "string" }, generateName: { type: "string" } },
  },
};

/** A value as expressions see it, by its schema: whole numbers, times, and only what the schema names. */
export function celValue(schema: Schema, value: Loose, isResource = false): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return numberValue(schema, value);
  if (typeof value === "string") return textValue(schema["format"], value);
  if (Array.isArray(value)) {
    const items: Loose = schema["items"];
    return value.map((item) => celValue(isRecord(items) ? items : {}, item));
  }
  if (!isRecord(value)) return value;
  const additional: Loose = schema["additionalProperties"];
  if (isRecord(additional)) {
    const entries = Object.entries(value).map(([name, inner]) => [name, celValue(additional, inner)]);
    return Object.fromEntries(entries);
  }
  const isEmbedded = isResource || schema["x-kubernetes-embedded-resource"] === true;
  const properties: Schema = { ...schema["properties"], ...(isEmbedded && resourceFields) };
  const named = Object.entries(value).filter(([name]) => isRecord(properties[name]));
  return Object.fromEntries(
    named.map(([name, inner]) => [escapedName(name), celValue(properties[name], inner)]),
  );
}

/** The number of elements of the largest list or map in a value. */
export function largestIn(value: Loose): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: readonly Loose[] = Object.values(value);
  return inner.reduce<number>((most, each) => Math.max(most, largestIn(each)), inner.length);
}
