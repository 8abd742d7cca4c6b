/** The JSON that a field takes. */
export type FieldType =
  | { readonly kind: "string" | "int" | "bool" | "quantity" | "int-or-string" | "any" }
  | { readonly kind: "struct"; readonly name: string }
  | { readonly kind: "list" | "map"; readonly of: FieldType };

/** The fields of one Go struct of Kubernetes' API. */
export type Struct = ReadonlyMap<string, FieldType>;

const simple: Readonly<Record<string, FieldType>> = {
  string: { kind: "string" },
  int: { kind: "int" },
  bool: { kind: "bool" },
  quantity: { kind: "quantity" },
  intstr: { kind: "int-or-string" },
  any: { kind: "any" },
};

function parseType(text: string): FieldType {
  if (text.startsWith("[]")) return { kind: "list", of: parseType(text.slice(2)) };
  if (text.startsWith("{}")) return { kind: "map", of: parseType(text.slice(2)) };
  return simple[text] ?? { kind: "struct", name: text };
}

/** `name replicas:int ports:[]ServicePort labels:{}string`: a field without a type is a string. */
export function parseStruct(text: string): Struct {
  const fields = text.trim().split(/\s+/);
  return new Map(
    fields.map((field) => {
      const [name = "", type = "string"] = field.split(":");
      return [name, parseType(type)] as const;
    }),
  );
}
