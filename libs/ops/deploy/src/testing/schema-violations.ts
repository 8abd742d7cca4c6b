interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly "x-kubernetes-group-version-kind"?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** An OpenAPI 3 document as API servers serve it. */
export interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Where an object departs from the schema of its kind: unknown fields and wrong types, each with its path. */
export function schemaViolations(document: OpenApi, object: { readonly kind?: string }): string[] {
  const { schemas } = document.components;
  const schema = Object.values(schemas).find((one) =>
    one["x-kubernetes-group-version-kind"]?.some(({ kind }) => kind === object.kind),
  );
  if (!schema) return [`no schema of ${object.kind}`];
  return check(schemas, schema, object, object.kind ?? "");
}

function check(
  schemas: OpenApi["components"]["schemas"],
  schema: Schema,
  value: unknown,
  path: string,
): string[] {
  const target = resolve(schemas, schema);
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    if (target.type !== undefined && target.type !== "array")
      return [`${path}: a list instead of ${target.type}`];
    const { items } = target;
    return items ? value.flatMap((item, index) => check(schemas, items, item, `${path}[${index}]`)) : [];
  }
  if (typeof value === "object") return checkObject(schemas, target, value, path);
  const found = typeof value === "number" ? (Number.isInteger(value) ? "integer" : "number") : typeof value;
  if (target.type === undefined || target.format === "int-or-string" || target.type === found) return [];
  return [`${path}: ${found} instead of ${target.type}`];
}

function checkObject(
  schemas: OpenApi["components"]["schemas"],
  target: Schema,
  value: object,
  path: string,
): string[] {
  const { properties, additionalProperties } = target;
  if (!properties && typeof additionalProperties !== "object") return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const known = properties?.[name];
    if (known) return check(schemas, known, field, `${path}.${name}`);
    if (typeof additionalProperties === "object")
      return check(schemas, additionalProperties, field, `${path}.${name}`);
    return [`${path}.${name}: unknown field`];
  });
}

function resolve(schemas: OpenApi["components"]["schemas"], schema: Schema): Schema {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference === undefined) return schema;
  return schemas[reference.replace("#/components/schemas/", "")] ?? {};
}
