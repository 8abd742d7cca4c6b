import { isRecord, type Loose, type LooseRecord } from "@microremed/sim-objects";

/** The `openAPIV3Schema` of a version: structural, so that it can prune and default. */
export type Schema = LooseRecord;

const resourceFields = ["apiVersion", "kind", "metadata"];

function keepsUnknown(schema: Schema | undefined): boolean {
  return schema?.["x-kubernetes-preserve-unknown-fields"] === true;
}

function childSchema(schema: Schema, name: string): Schema | undefined {
  const own: Loose = schema["properties"]?.[name];
  if (isRecord(own)) return own;
  const additional: Loose = schema["additionalProperties"];
  if (isRecord(additional)) return additional;
  return additional === true ? { "x-kubernetes-preserve-unknown-fields": true } : undefined;
}

/** The value without the fields that the schema does not know; their paths go into `unknown`. */
export function prune(schema: Schema, value: Loose, path: string, unknown: string[]): Loose {
  if (Array.isArray(value)) {
    const items: Loose = schema["items"];
    if (!isRecord(items)) return value;
    return value.map((item, index) => prune(items, item, `${path}[${index}]`, unknown));
  }
  if (!isRecord(value)) return value;
  const isResource = path === "" || schema["x-kubernetes-embedded-resource"] === true;
  const kept: LooseRecord = {};
  for (const [name, inner] of Object.entries(value)) {
    const at = path === "" ? name : `${path}.${name}`;
    const child = childSchema(schema, name);
    if (isResource && resourceFields.includes(name)) kept[name] = inner;
    else if (child) kept[name] = prune(child, inner, at, unknown);
    else if (keepsUnknown(schema)) kept[name] = inner;
    else unknown.push(at);
  }
  return kept;
}

/** The value with the schema's defaults where it has nothing. */
export function withDefaults(schema: Schema, value: Loose): Loose {
  if (Array.isArray(value)) {
    const items: Loose = schema["items"];
    return isRecord(items) ? value.map((item) => withDefaults(items, item)) : value;
  }
  if (!isRecord(value)) return value;
  const result: LooseRecord = { ...value };
  const properties: LooseRecord = isRecord(schema["properties"]) ? schema["properties"] : {};
  for (const [name, property] of Object.entries(properties)) {
    if (result[name] === undefined && property?.default !== undefined) {
      result[name] = structuredClone(property.default);
    }
  }
  for (const [name, inner] of Object.entries(result)) {
    const child = childSchema(schema, name);
    if (child) result[name] = withDefaults(child, inner);
  }
  return result;
}
