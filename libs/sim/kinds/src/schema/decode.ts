import { isRecord, type Loose, parseQuantity } from "@microremed/sim-objects";
import { quantityText } from "../fields/resources.ts";
import type { FieldType } from "./field-type.ts";
import { structOf } from "./models.ts";
import { isZero, omittedOf } from "./omitted.ts";
import { findStruct } from "./structs.ts";

/** What was read of an object by its schema, and what was wrong with it. */
export interface Decoded {
  /** Without the unknown fields. */
  readonly value: Loose;
  /** `spec.template.spec.containers[0].foo` */
  readonly unknown: readonly string[];
  /** The first value of a wrong type. */
  readonly wrongType: WrongType | undefined;
}

export interface WrongType {
  /** In the words of Go's JSON decoder. */
  readonly text: string;
  /** In the words of the converter that reads strategic merge patches. */
  readonly converted: string;
}

const goNames: Readonly<Record<string, string>> = {
  string: "string",
  double: "float64",
  bool: "bool",
  list: "slice",
  map: "map[string]string",
};

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "number" && !Number.isInteger(value) ? `number ${value}` : typeof value;
}

function fits(type: FieldType, value: unknown): boolean {
  switch (type.kind) {
    case "any":
      return true;
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "int":
      return Number.isInteger(value);
    case "double":
      return typeof value === "number";
    case "quantity":
    case "int-or-string":
      return typeof value === "string" || typeof value === "number";
    case "list":
      return Array.isArray(value);
    default:
      return isRecord(value);
  }
}

function goName(type: FieldType): string {
  if (type.kind === "struct") return `v1.${structOf(type.model)}`;
  if (type.kind === "int") return `int${type.bits}`;
  if (type.kind === "list") return `[]${goName(type.of)}`;
  if (type.kind === "map") return `map[string]${goName(type.of)}`;
  if (type.kind === "quantity") return "resource.Quantity";
  if (type.kind === "int-or-string") return "intstr.IntOrString";
  return goNames[type.kind] ?? type.kind;
}

/** Go's kind of a value that comes from JSON. */
function goKind(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return Array.isArray(value) ? "slice" : typeof value === "string" ? "string" : "map";
}

/** Why Go's converter cannot put a value into a field; between numbers and strings it knows a way that it does not take. */
function conversionError(type: FieldType, value: unknown): string {
  const from = goKind(value);
  if (type.kind === "list") return `cannot restore slice from ${from}`;
  if (type.kind === "map") return `cannot restore map from ${from}`;
  if (type.kind === "struct") return `cannot restore struct from: ${from}`;
  const to = type.kind === "int" ? goName(type) : (goNames[type.kind] ?? "string");
  const isConvertible = /^(int64|float64)$/.test(from) && type.kind !== "bool";
  return isConvertible ? `cannot convert ${from} to ${to}` : `unrecognized type: ${to}`;
}

/** What Go makes of a null in a list or a map. */
function zeroOf({ kind }: FieldType): Loose {
  if (kind === "string") return "";
  if (kind === "quantity") return "0";
  if (kind === "int" || kind === "double" || kind === "int-or-string") return 0;
  if (kind === "bool") return false;
  return kind === "list" ? [] : {};
}

/** A number as the API server writes the quantity that it is. */
const quantityOf = (value: number): string =>
  Number.isInteger(value) ? String(value) : `${Math.round(value * 1000)}m`;

/** Reads a value the way Kubernetes' decoder reads it into its Go struct. `root`: the model of a kind. */
export function decode(root: string, object: Loose): Decoded {
  const unknown: string[] = [];
  let wrongType: WrongType | undefined;

  function wrong(type: FieldType, value: unknown, owner: string, path: string): Loose {
    wrongType ??= {
      text: `json: cannot unmarshal ${jsonType(value)} into Go struct field ${structOf(owner)}.${path} of type ${goName(type)}`,
      converted: conversionError(type, value),
    };
    return value;
  }

  /** `owner`: the model that the field is in; `path` names fields only, `place` has list indexes too. */
  function read(type: FieldType, value: Loose, owner: string, path: string, place: string): Loose {
    if (value === undefined || value === null || type.kind === "any") return value;
    if (!fits(type, value)) return wrong(type, value, owner, path);
    if (type.kind === "quantity") {
      if (parseQuantity(value) === undefined) wrongType ??= { text: quantityText, converted: quantityText };
      return typeof value === "number" ? quantityOf(value) : value;
    }
    if (type.kind === "list") {
      return value.map((item: Loose, index: number) =>
        read(type.of, item ?? zeroOf(type.of), owner, path, `${place}[${index}]`),
      );
    }
    if (type.kind === "map") {
      const entries = Object.entries(value).map(([key, item]) => [
        key,
        read(type.of, item ?? zeroOf(type.of), owner, path, `${place}.${key}`),
      ]);
      return Object.fromEntries(entries);
    }
    return type.kind === "struct" ? readStruct(type.model, value, path, place) : value;
  }

  function readStruct(model: string, value: Loose, path: string, place: string): Loose {
    const struct = findStruct(model);
    if (!struct) return value;
    const omitted = omittedOf(model);
    const result: Record<string, Loose> = {};
    for (const [key, inner] of Object.entries(value)) {
      const at = place === "" ? key : `${place}.${key}`;
      const type = struct.get(key);
      const isLeftOut = type && (inner === null || (omitted.has(key) && isZero(inner) && fits(type, inner)));
      if (isLeftOut) continue;
      if (type) result[key] = read(type, inner, model, path === "" ? key : `${path}.${key}`, at);
      else unknown.push(at);
    }
    return result;
  }

  return { value: readStruct(root, object, "", ""), unknown, wrongType };
}
