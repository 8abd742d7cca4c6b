import { isRecord, type Loose, type LooseRecord } from "@microremed/sim-objects";

/*
 * gnostic's message `openapi.v2.Document` (https://github.com/google/gnostic, openapiv2/OpenAPIv2.proto), as far as the
 * documents here use it. Numbers are those of its fields.
 */

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A length-delimited field: text or an embedded message. */
function field(number: number, content: string | readonly Buffer[]): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.concat(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** A name with a value: how maps are written. */
const named = (name: string, value: readonly Buffer[]): Buffer[] => [field(1, name), field(2, value)];

/** `x-kubernetes-...`; YAML is expected, and JSON is YAML. */
function extensions(number: number, object: LooseRecord): Buffer[] {
  return Object.entries(object)
    .filter(([key]) => key.startsWith("x-"))
    .map(([key, value]) => field(number, named(key, [field(2, JSON.stringify(value))])));
}

const texts = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 } as const;

function schemaMessage(schema: LooseRecord): Buffer[] {
  const { required, additionalProperties, type, items, properties } = schema;
  const fields: Buffer[] = [];
  for (const [key, number] of Object.entries(texts)) {
    const value: Loose = schema[key];
    if (typeof value === "string") fields.push(field(number, value));
  }
  if (Array.isArray(required)) for (const name of required) fields.push(field(19, String(name)));
  if (isRecord(additionalProperties)) fields.push(field(21, [field(1, schemaMessage(additionalProperties))]));
  if (typeof type === "string") fields.push(field(22, [field(1, type)]));
  if (isRecord(items)) fields.push(field(23, [field(1, schemaMessage(items))]));
  if (isRecord(properties)) fields.push(field(25, namedSchemas(properties)));
  return [...fields, ...extensions(31, schema)];
}

function namedSchemas(schemas: LooseRecord): Buffer[] {
  return Object.entries(schemas).map(([name, schema]) => field(1, named(name, schemaMessage(schema))));
}

/** ParametersItem > Parameter > NonBodyParameter > QueryParameterSubSchema. */
function parameter({ in: place, name, type }: LooseRecord): Buffer {
  const schema = [field(2, String(place)), field(4, String(name)), field(6, String(type))];
  return field(8, [field(1, [field(2, [field(3, schema)])])]);
}

function path(name: string, { patch }: LooseRecord): Buffer {
  const parameters: readonly LooseRecord[] = patch.parameters;
  const operation = [...parameters.map(parameter), ...extensions(13, patch)];
  return field(2, named(name, [field(8, operation)]));
}

/** An OpenAPI v2 document in the form that kubectl reads. */
export function encodeV2({ swagger, info, paths, definitions }: LooseRecord): Buffer {
  const items = Object.entries<LooseRecord>(paths).map(([name, item]) => path(name, item));
  return Buffer.concat([
    field(1, String(swagger)),
    field(2, [field(1, String(info.title)), field(2, String(info.version))]),
    field(8, items),
    field(9, namedSchemas(definitions)),
  ]);
}
