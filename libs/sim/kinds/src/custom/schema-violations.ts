import { isRecord, jsonEqual, type Loose, type StatusCause } from "@microremed/sim-objects";
import { invalidValue, notSupported, required } from "../fields/field-errors.ts";
import type { Schema } from "../structural-schema/schema.ts";

function typeName(value: Loose): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : typeof value;
}

function hasType(schema: Schema, value: Loose): boolean {
  const type = typeName(value);
  if (schema["x-kubernetes-int-or-string"] === true) return type === "integer" || type === "string";
  const wanted: Loose = schema["type"];
  if (typeof wanted !== "string" || wanted === type) return true;
  if (value === null) return schema["nullable"] === true;
  return wanted === "number" && type === "integer";
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": (text) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  duration: (text) => /^[+-]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d|w))+$/.test(text),
  ipv4: (text) => /^(\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split(".").every((part) => Number(part) < 256),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text),
};

/** Go's patterns are RE2; a pattern that JavaScript does not support cannot be checked and passes. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

type Report = (detail: string) => void;

function checkNumber(schema: Schema, value: number, say: Report): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (exclusiveMinimum === true && value <= minimum) say(`should be greater than ${minimum}`);
  else if (value < minimum) say(`should be greater than or equal to ${minimum}`);
  if (exclusiveMaximum === true && value >= maximum) say(`should be less than ${maximum}`);
  else if (value > maximum) say(`should be less than or equal to ${maximum}`);
  if (typeof multipleOf === "number" && !Number.isInteger(value / multipleOf)) {
    say(`should be a multiple of ${multipleOf}`);
  }
}

function checkText(schema: Schema, value: string, field: string, causes: StatusCause[], say: Report): void {
  const { minLength, maxLength, pattern, format } = schema;
  const length = [...value].length;
  if (length < minLength) say(`should be at least ${minLength} chars long`);
  if (length > maxLength) {
    const message = `Too long: may not be more than ${maxLength} bytes`;
    causes.push({ reason: "FieldValueTooLong", message, field });
  }
  if (typeof pattern === "string" && !matches(pattern, value)) say(`should match '${pattern}'`);
  if (typeof format === "string" && formats[format]?.(value) === false) {
    say(`must be of type ${format}: ${JSON.stringify(value)}`);
  }
}

function checkList(
  schema: Schema,
  value: readonly Loose[],
  field: string,
  causes: StatusCause[],
  say: Report,
): void {
  const { minItems, maxItems, uniqueItems, items } = schema;
  if (value.length < minItems) say(`should have at least ${minItems} items`);
  if (value.length > maxItems) {
    const message = `Too many: ${value.length}: must have at most ${maxItems} items`;
    causes.push({ reason: "FieldValueTooMany", message, field });
  }
  const keys: Loose = schema["x-kubernetes-list-map-keys"];
  const sameAs = (a: Loose, b: Loose): boolean =>
    Array.isArray(keys) ? keys.every((key: string) => jsonEqual(a?.[key], b?.[key])) : jsonEqual(a, b);
  const distinct = uniqueItems === true || ["set", "map"].includes(schema["x-kubernetes-list-type"]);
  for (const [index, item] of distinct ? value.entries() : []) {
    if (!value.slice(0, index).some((other) => sameAs(other, item))) continue;
    const shown = Array.isArray(keys)
      ? Object.fromEntries(keys.map((key: string) => [key, item?.[key]]))
      : item;
    const message = `Duplicate value: ${JSON.stringify(shown)}`;
    causes.push({ reason: "FieldValueDuplicate", message, field: `${field}[${index}]` });
  }
  if (!isRecord(items)) return;
  for (const [index, item] of value.entries()) check(items, item, `${field}[${index}]`, causes);
}

function checkFields(schema: Schema, value: Schema, field: string, causes: StatusCause[], say: Report): void {
  const at = (name: string): string => (field === "" ? name : `${field}.${name}`);
  const size = Object.keys(value).length;
  if (size < schema["minProperties"]) say(`should have at least ${schema["minProperties"]} properties`);
  if (size > schema["maxProperties"]) say(`should have at most ${schema["maxProperties"]} properties`);
  for (const name of schema["required"] ?? []) {
    if (value[name] === undefined) causes.push(required(at(name)));
  }
  const properties: Schema = isRecord(schema["properties"]) ? schema["properties"] : {};
  const additional: Loose = schema["additionalProperties"];
  for (const [name, inner] of Object.entries(value)) {
    const own: Loose = properties[name] ?? additional;
    if (field === "" && name === "metadata") continue;
    if (isRecord(own)) check(own, inner, at(name), causes);
  }
}

function fits(schema: Loose, value: Loose, field: string): boolean {
  const causes: StatusCause[] = [];
  if (isRecord(schema)) check(schema, value, field, causes);
  return causes.length === 0;
}

function checkCombinations(schema: Schema, value: Loose, field: string, causes: StatusCause[]): void {
  const say = (detail: string): void =>
    void causes.push(invalidValue("<nil>", "", `${JSON.stringify(field)} ${detail}`));
  const passing = (list: Loose): number => list.filter((each: Loose) => fits(each, value, field)).length;
  const { allOf, anyOf, oneOf, not } = schema;
  if (Array.isArray(oneOf) && passing(oneOf) !== 1) {
    const found = passing(oneOf) === 0 ? "Found none valid" : `Found ${passing(oneOf)} valid alternatives`;
    say(`must validate one and only one schema (oneOf). ${found}`);
  }
  if (Array.isArray(anyOf) && passing(anyOf) === 0) say("must validate at least one schema (anyOf)");
  if (isRecord(not) && fits(not, value, field)) say("must not validate the schema (not)");
  for (const each of Array.isArray(allOf) ? allOf : []) if (isRecord(each)) check(each, value, field, causes);
}

function check(schema: Schema, value: Loose, field: string, causes: StatusCause[]): void {
  const say: Report = (detail) => void causes.push(invalidValue(field, value, `${field} in body ${detail}`));
  if (value === null && schema["nullable"] === true) return;
  if (!hasType(schema, value)) {
    const type = JSON.stringify(typeName(value));
    const wanted = schema["x-kubernetes-int-or-string"] === true ? "integer,string" : schema["type"];
    const detail = `${field} in body must be of type ${wanted}: ${type}`;
    causes.push({ reason: "FieldValueTypeInvalid", message: `Invalid value: ${type}: ${detail}`, field });
    return;
  }
  if (Array.isArray(schema["enum"]) && !schema["enum"].some((allowed: Loose) => jsonEqual(allowed, value))) {
    causes.push(notSupported(field, value, schema["enum"].map(String)));
  }
  if (typeof value === "number") checkNumber(schema, value, say);
  if (typeof value === "string") checkText(schema, value, field, causes, say);
  if (Array.isArray(value)) checkList(schema, value, field, causes, say);
  if (isRecord(value)) checkFields(schema, value, field, causes, say);
  checkCombinations(schema, value, field, causes);
}

/** Everything in which a custom object breaks its schema, in the words of a real server. */
export function schemaViolations(schema: Schema, object: Loose): StatusCause[] {
  const causes: StatusCause[] = [];
  check(schema, object, "", causes);
  return causes;
}
