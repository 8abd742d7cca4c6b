import {
  type FieldType,
  findStruct,
  modelOf,
  patchTags,
  type ResourceType,
  structOf,
} from "@microremed/sim-kinds";
import { isRecord, type Loose, type LooseRecord } from "@microremed/sim-objects";
import { customName, definitionNames, modelsFrom } from "./definition-names.ts";
import { describeModel, type StructText } from "./descriptions.ts";

/** How one version of OpenAPI says things. */
export interface Dialect {
  /** A reference to another definition, and the fields beside it. */
  refer(name: string, beside: LooseRecord): LooseRecord;
  /** Text that is a number with a unit, and what may be a number or text. */
  readonly quantity: LooseRecord;
  readonly intOrString: LooseRecord;
  /** A CustomResourceDefinition's schema. */
  custom(schema: LooseRecord): LooseRecord;
}

export const quantityText =
  "Quantity is a fixed-point representation of a number. It provides convenient marshaling/unmarshaling in JSON and YAML, in addition to String() and AsInt64() accessors.";
export const intOrStringText =
  "IntOrString is a type that can hold an int32 or a string.  When used in JSON or YAML marshalling and unmarshalling, it produces or consumes the inner type.  This allows you to have, for example, a JSON field that can accept a name or number.";

const metaModel = "V1ObjectMeta";

/** Types that have names although they are no structs. */
const scalarNames: Readonly<Partial<Record<FieldType["kind"], string>>> = {
  quantity: "io.k8s.apimachinery.pkg.api.resource.Quantity",
  "int-or-string": "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
};

/** Fields that hold any JSON; elsewhere what has no type here is an object of any kind. */
const anyJson = new Set(["JSONSchemaProps"]);

type NameOf = (type: FieldType) => string | undefined;

/** `beside`: what is said of the field that has the type. */
function schemaOf(
  type: FieldType,
  struct: string,
  { refer, nameOf }: Pick<Dialect, "refer"> & { readonly nameOf: NameOf },
  beside: LooseRecord = {},
): LooseRecord {
  const name = nameOf(type);
  if (name !== undefined) return refer(name, beside);
  const inner = (of: FieldType): LooseRecord => schemaOf(of, struct, { refer, nameOf });
  return { ...beside, ...plainSchema(type, struct, inner) };
}

function plainSchema(type: FieldType, struct: string, inner: (of: FieldType) => LooseRecord): LooseRecord {
  switch (type.kind) {
    case "list":
      return { type: "array", items: inner(type.of) };
    case "map":
      return { type: "object", additionalProperties: inner(type.of) };
    case "int":
      return { type: "integer", format: `int${type.bits}` };
    case "double":
      return { type: "number", format: "double" };
    case "bool":
      return { type: "boolean" };
    case "any":
      return anyJson.has(struct) ? {} : { type: "object" };
    case "string":
      return { type: "string", ...(type.format !== undefined && { format: type.format }) };
    default:
      return { type: "string" };
  }
}

function patchExtensions(struct: string, field: string): LooseRecord {
  const tags = patchTags(struct, field);
  if (!tags) return {};
  return {
    ...(tags.key !== undefined && { "x-kubernetes-patch-merge-key": tags.key }),
    "x-kubernetes-patch-strategy": tags.strategy,
  };
}

function groupVersionKind({ group, version, kind }: ResourceType): LooseRecord {
  return { "x-kubernetes-group-version-kind": [{ group, version, kind }] };
}

/** The schema of a kind that a CustomResourceDefinition describes, or that has no model. */
function customSchema(type: ResourceType, dialect: Dialect, metadata: LooseRecord): LooseRecord {
  const given: Loose = type.installed?.schema ?? type.custom?.schema ?? { type: "object" };
  const schema = dialect.custom(given);
  const own = describeModel("V1Pod").fields;
  const text = (field: string): LooseRecord => ({ type: "string", description: own.get(field) ?? "" });
  const properties = {
    ...schema["properties"],
    apiVersion: text("apiVersion"),
    kind: text("kind"),
    metadata,
  };
  const isFree = !isRecord(schema["properties"]);
  return { ...schema, ...(!isFree && { properties }), ...groupVersionKind(type) };
}

/** Schemas of the kinds and of all structs that they lead to, by name. */
export function definitionsOf(
  types: readonly ResourceType[],
  all: readonly ResourceType[],
  dialect: Dialect,
): ReadonlyMap<string, LooseRecord> {
  const names = definitionNames(all);
  const nameOf: NameOf = (type) =>
    type.kind === "struct" ? (names.get(type.model) ?? type.model) : scalarNames[type.kind];

  const texts = new Map<string, StructText>();
  const textsOf = (model: string): StructText => {
    const text = texts.get(model) ?? describeModel(model);
    texts.set(model, text);
    return text;
  };

  const property = (
    struct: string,
    field: string,
    type: FieldType,
    text: string | undefined,
  ): LooseRecord => {
    const inner = type.kind === "list" ? type.of : type;
    // A field without a text of its own has its struct's.
    const description = text ?? (inner.kind === "struct" ? textsOf(inner.model).description : "");
    const beside = { ...(description && { description }), ...patchExtensions(struct, field) };
    return schemaOf(type, struct, { ...dialect, nameOf }, beside);
  };

  const structSchema = (model: string): LooseRecord => {
    const struct = structOf(model);
    const { description, fields, required } = textsOf(model);
    const properties = [...(findStruct(model) ?? [])].map(
      ([field, type]) => [field, property(struct, field, type, fields.get(field))] as const,
    );
    return {
      ...(description && { description }),
      type: "object",
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    };
  };

  const { quantity = "", "int-or-string": intOrString = "" } = scalarNames;
  const definitions = new Map([
    [quantity, dialect.quantity],
    [intOrString, dialect.intOrString],
  ]);
  const kinds = types.flatMap((type) => {
    const model = type.custom ? undefined : modelOf(type);
    return model === undefined ? [] : [[model, type] as const];
  });
  for (const model of modelsFrom([metaModel, ...kinds.map(([model]) => model)]))
    definitions.set(names.get(model) ?? model, structSchema(model));
  for (const [model, type] of kinds)
    Object.assign(definitions.get(names.get(model) ?? model) ?? {}, groupVersionKind(type));
  for (const type of types) {
    if (type.custom || modelOf(type) === undefined)
      definitions.set(
        customName(type),
        customSchema(type, dialect, dialect.refer(names.get(metaModel) ?? metaModel, {})),
      );
  }
  return new Map([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
}
