import {
  isRecord,
  jsonEqual,
  type KubeObject,
  type Loose,
  type NewObject,
  type StatusCause,
} from "@microremed/sim-objects";
import { invalidValue, notSupported, required } from "../fields/field-errors.ts";
import { parseJsonPath } from "../fields/json-path.ts";
import { dnsLabel, dnsSubdomain } from "./names.ts";
import { validateRules } from "./validation-rules.ts";

const scopes = ["Cluster", "Namespaced"];
const types = ["array", "boolean", "integer", "number", "object", "string"];
const columnTypes = ["boolean", "date", "integer", "number", "string"];
const maxSchemaDepth = 64;

function validateNames(spec: Loose): StatusCause[] {
  const names: Loose = spec.names ?? {};
  const causes: StatusCause[] = [];
  for (const field of ["plural", "singular", "kind", "listKind"]) {
    if (!names[field]) causes.push(required(`spec.names.${field}`));
    else if (typeof names[field] === "string") {
      causes.push(...dnsLabel(`spec.names.${field}`, names[field].toLowerCase()));
    }
  }
  return causes;
}

/** Structural schemas: every value has a type, and what a node is is said in one place. */
function validateSchema(schema: Loose, path: string, depth: number): StatusCause[] {
  if (!isRecord(schema)) return [invalidValue(path, schema, "must be an object")];
  if (depth > maxSchemaDepth) return [invalidValue(path, "", "the schema is nested too deeply")];
  const causes: StatusCause[] = [];
  const { type, properties, items, additionalProperties } = schema;
  const free =
    schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-int-or-string"] === true;
  if (type === undefined || type === "") {
    const where = depth === 0 ? "at the root" : "for specified object fields";
    if (!free || depth === 0) causes.push(required(`${path}.type`, `must not be empty ${where}`));
  } else if (!types.includes(type)) causes.push(notSupported(`${path}.type`, type, types));
  else if (depth === 0 && type !== "object") {
    causes.push(invalidValue(`${path}.type`, type, "must be object at the root"));
  }
  causes.push(...validateRules(schema["x-kubernetes-validations"], path));
  if (type === "array" && items === undefined) causes.push(required(`${path}.items`, "must be specified"));
  if (isRecord(properties) && additionalProperties !== undefined) {
    causes.push({
      reason: "FieldValueForbidden",
      message: "Forbidden: additionalProperties and properties are mutual exclusive",
      field: `${path}.additionalProperties`,
    });
  }
  for (const [name, inner] of isRecord(properties) ? Object.entries(properties) : []) {
    causes.push(...validateSchema(inner, `${path}.properties[${name}]`, depth + 1));
  }
  if (isRecord(items)) causes.push(...validateSchema(items, `${path}.items`, depth + 1));
  if (isRecord(additionalProperties)) {
    causes.push(...validateSchema(additionalProperties, `${path}.additionalProperties`, depth + 1));
  }
  return causes;
}

function validateColumns(columns: Loose, path: string): StatusCause[] {
  if (!Array.isArray(columns)) return [];
  return columns.flatMap((column, index) => {
    const at = `${path}[${index}]`;
    const causes: StatusCause[] = [];
    if (!column?.name) causes.push(required(`${at}.name`));
    if (!column?.type) causes.push(required(`${at}.type`, `must be one of ${columnTypes.join(", ")}`));
    else if (!columnTypes.includes(column.type)) {
      causes.push(invalidValue(`${at}.type`, column.type, `must be one of ${columnTypes.join(", ")}`));
    }
    if (!column?.jsonPath) causes.push(required(`${at}.jsonPath`));
    else if (!parseJsonPath(String(column.jsonPath))) {
      causes.push(invalidValue(`${at}.jsonPath`, column.jsonPath, "must be a simple json path"));
    }
    return causes;
  });
}

function validateVersions(versions: readonly Loose[]): StatusCause[] {
  const causes: StatusCause[] = [];
  const storage = versions.filter((version) => version?.storage === true);
  if (storage.length !== 1) {
    causes.push(
      invalidValue(
        "spec.versions",
        versions.map((version) => version?.name),
        "must have exactly one version marked as storage version",
      ),
    );
  }
  for (const [index, version] of versions.entries()) {
    const at = `spec.versions[${index}]`;
    // With one version the server keeps its schema at the top, and names it so.
    const schemaAt = versions.length === 1 ? "spec.validation" : `${at}.schema`;
    const schema: Loose = version?.schema?.openAPIV3Schema;
    causes.push(...dnsLabel(`${at}.name`, String(version?.name ?? "")));
    if (schema === undefined) causes.push(required(`${at}.schema.openAPIV3Schema`, "schemas are required"));
    else causes.push(...validateSchema(schema, `${schemaAt}.openAPIV3Schema`, 0));
    causes.push(...validateColumns(version?.additionalPrinterColumns, `${at}.additionalPrinterColumns`));
  }
  return causes;
}

const fixed = [["scope"], ["group"], ["names", "plural"], ["names", "kind"]] as const;

export function validateDefinition(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const spec: Loose = object.spec;
  const causes: StatusCause[] = [];
  const group = String(spec.group ?? "");
  const expected = `${spec.names?.plural}.${group}`;
  if (object.metadata.name !== expected) {
    const detail = `must be spec.names.plural+"."+spec.group`;
    causes.push(invalidValue("metadata.name", object.metadata.name ?? "", detail));
  }
  if (group === "") causes.push(required("spec.group"));
  else if (!group.includes(".")) {
    causes.push(invalidValue("spec.group", group, "should be a domain with at least one dot"));
  } else causes.push(...dnsSubdomain("spec.group", group));
  if (!spec.scope) causes.push(required("spec.scope"));
  else if (!scopes.includes(spec.scope)) causes.push(notSupported("spec.scope", spec.scope, scopes));
  if (spec.preserveUnknownFields === true) {
    causes.push(
      invalidValue(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
    );
  }
  causes.push(...validateNames(spec));
  causes.push(...validateVersions(Array.isArray(spec.versions) ? spec.versions : []));
  for (const path of old ? fixed : []) {
    const read = (from: Loose): Loose => path.reduce((value: Loose, key) => value?.[key], from);
    if (!jsonEqual(read(old?.spec), read(spec))) {
      causes.push(invalidValue(`spec.${path.join(".")}`, read(spec), "field is immutable"));
    }
  }
  return causes;
}
