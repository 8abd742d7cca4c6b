import type { GoStruct, GoType } from "./go-type.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A value as a JSON object, or undefined. */
export const asObject = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

function wordFor(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

function mismatch(type: GoType, value: unknown): string | undefined {
  const word = wordFor(value);
  if (type.type === "int") {
    if (word !== "number") return word;
    return Number.isInteger(value) ? undefined : `number ${value}`;
  }
  const wanted = { string: "string", bool: "bool", list: "array", map: "object", struct: "object" }[
    type.type
  ];
  return word === wanted ? undefined : word;
}

/** The first complaint of Go's JSON decoder, e.g. a number where a string belongs; undefined when it decodes. */
export function decodeError(type: GoType, value: unknown, path: string, structName = ""): string | undefined {
  if (value === null || value === undefined) return undefined;
  const wrong = mismatch(type, value);
  if (wrong !== undefined)
    return `json: cannot unmarshal ${wrong} into Go struct field ${structName}.${path} of type ${type.go}`;
  if (type.type === "list")
    return firstError(value as unknown[], (item) => decodeError(type.of, item, path, structName));
  const fields = asObject(value) ?? {};
  if (type.type === "map")
    return firstError(Object.values(fields), (item) => decodeError(type.of, item, path, structName));
  if (type.type !== "struct") return undefined;
  return firstError(Object.entries(type.fields), ([name, field]) =>
    decodeError(field.type, fields[name], `${path}.${name}`, type.go.replace(/^\*?v1alpha1\./, "")),
  );
}

function firstError<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const error = check(item);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** The object as the Go type re-serialises it: unknown fields and nulls are gone, CRD defaults are filled in. */
export function defaulted(type: GoStruct, object: unknown): Fields {
  const given = asObject(object) ?? {};
  const entries = Object.entries(type.fields).flatMap(([name, field]) => {
    const value = given[name];
    // Go drops zero values of optional fields when it re-serialises; the CRD default then fills the gap.
    const absent = field.fallback !== undefined && (value === 0 || value === "");
    const found = (absent ? undefined : value) ?? field.fallback;
    return found === undefined || found === null ? [] : [[name, defaultedValue(field.type, found)] as const];
  });
  return Object.fromEntries(entries);
}

function defaultedValue(type: GoType, value: unknown): unknown {
  if (type.type === "struct") return defaulted(type, value);
  if (type.type === "list" && Array.isArray(value)) return value.map((item) => defaultedValue(type.of, item));
  return value;
}

/** Paths that the type does not know, for strict field validation. */
export function unknownFields(type: GoType, value: unknown, path: string): readonly string[] {
  if (type.type === "list" && Array.isArray(value))
    return value.flatMap((item, index) => unknownFields(type.of, item, `${path}[${index}]`));
  const fields = asObject(value);
  if (type.type !== "struct" || !fields) return [];
  return Object.entries(fields).flatMap(([name, item]) => {
    const field = type.fields[name];
    return field ? unknownFields(field.type, item, `${path}.${name}`) : [`${path}.${name}`];
  });
}

/** One violation of the CRD's OpenAPI schema, as the API server reports it. */
export interface SchemaViolation {
  readonly field: string;
  readonly reason: "FieldValueRequired" | "FieldValueNotSupported" | "FieldValueInvalid";
  readonly message: string;
}

/** Required fields, enums and bounds. */
export function schemaViolations(type: GoType, value: unknown, path: string): readonly SchemaViolation[] {
  if (type.type === "list" && Array.isArray(value))
    return value.flatMap((item, index) => schemaViolations(type.of, item, `${path}[${index}]`));
  if (type.type === "string" && type.values && !type.values.includes(String(value)))
    return [
      {
        field: path,
        reason: "FieldValueNotSupported",
        message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${type.values.map((item) => JSON.stringify(item)).join(", ")}`,
      },
    ];
  if (type.type === "int") return bounds(path, Number(value), type.min, type.max);
  if (type.type !== "struct") return [];
  const fields = asObject(value) ?? {};
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const found = fields[name];
    const at = `${path}.${name}`;
    if (found !== undefined && found !== null) return schemaViolations(field.type, found, at);
    return field.required ? [{ field: at, reason: "FieldValueRequired", message: "Required value" }] : [];
  });
}

function bounds(path: string, value: number, min?: number, max?: number): readonly SchemaViolation[] {
  const say = (word: string, limit: number): SchemaViolation => ({
    field: path,
    reason: "FieldValueInvalid",
    message: `Invalid value: ${value}: ${path} in body should be ${word} than or equal to ${limit}`,
  });
  if (min !== undefined && value < min) return [say("greater", min)];
  if (max !== undefined && value > max) return [say("less", max)];
  return [];
}
