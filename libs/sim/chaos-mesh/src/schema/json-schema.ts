import type { GoType } from "./go-type.ts";

/** The structural OpenAPI schema of a Go type, as controller-gen would write it into a CRD. */
export function jsonSchema(type: GoType): Record<string, unknown> {
  switch (type.type) {
    case "string":
      return { type: "string", ...(type.values && { enum: type.values }) };
    case "int":
      return {
        type: "integer",
        ...(type.min !== undefined && { minimum: type.min }),
        ...(type.max !== undefined && { maximum: type.max }),
      };
    case "bool":
      return { type: "boolean" };
    case "list":
      return { type: "array", items: jsonSchema(type.of) };
    case "map":
      return { type: "object", additionalProperties: jsonSchema(type.of) };
    case "struct": {
      const fields = Object.entries(type.fields);
      const required = fields.filter(([, field]) => field.required).map(([name]) => name);
      return {
        type: "object",
        properties: Object.fromEntries(
          fields.map(([name, field]) => [
            name,
            { ...jsonSchema(field.type), ...(field.fallback !== undefined && { default: field.fallback }) },
          ]),
        ),
        ...(required.length > 0 && { required }),
      };
    }
  }
}
