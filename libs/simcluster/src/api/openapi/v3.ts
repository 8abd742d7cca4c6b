import { chaosSchema } from "../../chaos/definitions.ts";
import { isRecord, type LooseRecord } from "../loose.ts";
import type { Served } from "../resources/catalog.ts";
import { apiVersionOf, type ResourceType } from "../resources/resource-type.ts";
import type { FieldType } from "../schema/field-type.ts";
import { findStruct } from "../schema/structs.ts";
import { describeStruct } from "./descriptions.ts";

const documentName = (group: string, version: string): string =>
  group === "" ? `api/${version}` : `apis/${group}/${version}`;

export function openApiV3Index(served: Served): object {
  const names = served.groups.flatMap((group) =>
    group.versions.map((version) => documentName(group.name, version)),
  );
  return {
    paths: Object.fromEntries(
      names.map((name) => [name, { serverRelativeURL: `/openapi/v3/${name}?hash=MICROREMED` }]),
    ),
  };
}

function pathItem(type: ResourceType): [string, object] {
  const namespace = type.namespaced ? "/namespaces/{namespace}" : "";
  const path = `/${documentName(type.group, type.version)}${namespace}/${type.resource}/{name}`;
  const { group, version, kind } = type;
  const query = (name: string): object => ({
    name,
    in: "query",
    schema: { type: "string", uniqueItems: true },
  });
  return [
    path,
    {
      patch: {
        parameters: ["dryRun", "fieldManager", "fieldValidation", "force"].map(query),
        responses: { 200: { description: "OK" } },
        "x-kubernetes-action": "patch",
        "x-kubernetes-group-version-kind": { group, version, kind },
      },
    },
  ];
}

const schemaName = (struct: string): string => `io.k8s.api.core.v1.${struct}`;

function schemaOf(type: FieldType): object {
  switch (type.kind) {
    case "struct":
      return { allOf: [{ $ref: `#/components/schemas/${schemaName(type.name)}` }] };
    case "list":
      return { type: "array", items: schemaOf(type.of) };
    case "map":
      return { type: "object", additionalProperties: schemaOf(type.of) };
    case "int":
      return { type: "integer" };
    case "bool":
      return { type: "boolean" };
    case "int-or-string":
      return { type: "string", format: "int-or-string" };
    case "any":
      return { type: "object" };
    default:
      return { type: "string" };
  }
}

function structsIn(type: FieldType): string[] {
  if (type.kind === "struct") return [type.name];
  return type.kind === "list" || type.kind === "map" ? structsIn(type.of) : [];
}

const ownProperties = {
  apiVersion: {
    description: "APIVersion defines the versioned schema of this representation of an object.",
    type: "string",
  },
  kind: {
    description: "Kind is a string value representing the REST resource this object represents.",
    type: "string",
  },
  metadata: schemaOf({ kind: "struct", name: "ObjectMeta" }),
};

/** The schema of a kind that a CustomResourceDefinition describes. */
function customSchema(type: ResourceType): LooseRecord | undefined {
  if (type.group === "chaos-mesh.org") return chaosSchema(type.resource);
  return type.custom && (type.custom.schema ?? { type: "object" });
}

/** A field without a description of its own has its struct's. */
function described(own: string | undefined, type: FieldType): object {
  const inner = type.kind === "list" ? type.of : type;
  const text = own ?? (inner.kind === "struct" ? describeStruct(inner.name).description : "");
  return text === "" ? {} : { description: text };
}

/** Schemas of the kinds and of all structs that they lead to: `kubectl explain` reads them. */
function schemasOf(types: readonly ResourceType[]): object {
  const schemas: Record<string, object> = {};
  const add = (key: string, name: string, extra: object): void => {
    if (schemas[name]) return;
    const fields = [...(findStruct(key) ?? [])];
    const text = describeStruct(key);
    const properties = Object.fromEntries(
      fields.map(([field, type]) => [
        field,
        { ...schemaOf(type), ...described(text.fields.get(field), type) },
      ]),
    );
    const description = text.description && { description: text.description };
    schemas[name] = { type: "object", properties, ...description, ...extra };
    for (const struct of fields.flatMap(([, type]) => structsIn(type))) add(struct, schemaName(struct), {});
  };
  for (const type of types) {
    const { group, version, kind } = type;
    const own = { "x-kubernetes-group-version-kind": [{ group, version, kind }] };
    const custom = customSchema(type);
    if (custom) {
      const properties = isRecord(custom["properties"]) ? custom["properties"] : {};
      const name = `${group.split(".").reverse().join(".")}.${version}.${kind}`;
      schemas[name] = { ...custom, properties: { ...properties, ...ownProperties }, ...own };
      add("ObjectMeta", schemaName("ObjectMeta"), {});
      continue;
    }
    add(`${group}/${kind}`, `io.k8s.api.${group.split(".")[0] || "core"}.${version}.${kind}`, own);
  }
  return schemas;
}

/** What clients need to see that the server validates fields itself; `name` as in the index. */
export function openApiV3Document(served: Served, name: string): object | undefined {
  const types = served.types.filter((type) => documentName(type.group, type.version) === name);
  if (types.length === 0) return undefined;
  const [first] = types;
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: first ? apiVersionOf(first) : "" },
    paths: Object.fromEntries(types.filter((type) => type.verbs.includes("patch")).map(pathItem)),
    components: { schemas: schemasOf(types) },
  };
}
