/** The JSON that a field takes. */
export type FieldType =
  | { readonly kind: "string"; readonly format?: "byte" | "date-time" }
  | { readonly kind: "int"; readonly bits: 32 | 64 }
  | { readonly kind: "double" | "bool" | "quantity" | "int-or-string" | "any" }
  | { readonly kind: "struct"; readonly model: string }
  | { readonly kind: "list" | "map"; readonly of: FieldType };

/** The fields of one Go struct of Kubernetes' API, by their names in JSON. */
export type Struct = ReadonlyMap<string, FieldType>;
