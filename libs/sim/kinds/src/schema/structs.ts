import type { FieldType, Struct } from "./field-type.ts";
import { readModel, structOf } from "./models.ts";

/** One field, as the client's model lists it. */
interface Attribute {
  readonly baseName: string;
  readonly type: string;
  readonly format: string;
}

/** Quantities are plain strings in the models. These are recognised by their struct, the maps by their name alone. */
const quantities = new Set([
  "EmptyDirVolumeSource.sizeLimit",
  "ResourceFieldSelector.divisor",
  "MetricTarget.value",
  "MetricTarget.averageValue",
  "MetricValueStatus.value",
  "MetricValueStatus.averageValue",
  "HPAScalingRules.tolerance",
]);
const quantityMaps = new Set([
  "allocatable",
  "allocatedResources",
  "capacity",
  "default",
  "defaultRequest",
  "hard",
  "limits",
  "max",
  "maxLimitRequestRatio",
  "min",
  "overhead",
  "requests",
  "used",
]);

const bits = (format: string): 32 | 64 => (format === "int64" ? 64 : 32);

function typeOf(type: string, format: string): FieldType {
  const [, item] = /^Array<(.*)>$/.exec(type) ?? [];
  if (item !== undefined) return { kind: "list", of: typeOf(item, format) };
  const [, value] = /^{ \[key: string\]: (.*); }$/.exec(type) ?? [];
  if (value !== undefined) return { kind: "map", of: typeOf(value, format) };
  switch (type) {
    case "string":
      return format === "byte" ? { kind: "string", format } : { kind: "string" };
    case "Date":
    case "V1MicroTime":
      return { kind: "string", format: "date-time" };
    case "number":
      return format === "double" ? { kind: "double" } : { kind: "int", bits: bits(format) };
    case "boolean":
      return { kind: "bool" };
    case "IntOrString":
      return { kind: "int-or-string" };
    case "any":
    case "object":
      return { kind: "any" };
    default:
      return { kind: "struct", model: type };
  }
}

function fieldType(struct: string, { baseName, type, format }: Attribute): FieldType {
  const known = typeOf(type, format);
  if (quantities.has(`${struct}.${baseName}`)) return { kind: "quantity" };
  const isTextMap = known.kind === "map" && known.of.kind === "string";
  return isTextMap && quantityMaps.has(baseName) ? { kind: "map", of: { kind: "quantity" } } : known;
}

function read(model: string): Struct | undefined {
  const listed = /attributeTypeMap = (\[.*?\n\]);/s.exec(readModel(model, ".js") ?? "")?.[1];
  if (listed === undefined) return undefined;
  const attributes: readonly Attribute[] = JSON.parse(listed);
  const struct = structOf(model);
  return new Map(attributes.map((attribute) => [attribute.baseName, fieldType(struct, attribute)] as const));
}

const known = new Map<string, Struct | undefined>();

/**
 * The fields of a struct by the name of its model in the JavaScript client (`V1DeploymentSpec`), which is made from
 * Kubernetes' own OpenAPI document (Apache-2.0). Read from its file on first use, and then kept.
 */
export function findStruct(model: string): Struct | undefined {
  if (!known.has(model)) known.set(model, read(model));
  return known.get(model);
}

/** The model of a kind; undefined for kinds that are not Kubernetes' own. */
export function modelOf(type: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): string | undefined {
  const [first = ""] = (type.group || "core").split(".");
  const prefixes = [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ""];
  const version = `V${type.version.slice(1)}`;
  return prefixes.map((prefix) => `${prefix}${version}${type.kind}`).find((model) => findStruct(model));
}
