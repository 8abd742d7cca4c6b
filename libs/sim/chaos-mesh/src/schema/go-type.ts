import type { Json } from "@microremed/sim-objects";

/** The Go types behind the custom resources: enough of them to decode, default and check like the originals. */
export type GoType =
  | { readonly type: "string"; readonly go: string; readonly values?: readonly string[] }
  | { readonly type: "int"; readonly go: string; readonly min?: number; readonly max?: number }
  | { readonly type: "bool"; readonly go: "bool" }
  | { readonly type: "list"; readonly go: string; readonly of: GoType }
  | { readonly type: "map"; readonly go: string; readonly of: GoType }
  | GoStruct;

export interface GoStruct {
  readonly type: "struct";
  readonly go: string;
  readonly fields: Readonly<Record<string, GoField>>;
}

export interface GoField {
  readonly type: GoType;
  readonly required: boolean;
  /** What the CRD fills in. */
  readonly fallback?: Json;
}

/** A string; `values` is the CRD's enum, `go` the name that Go's decoder prints. */
export const text = (go = "string", values?: readonly string[]): GoType => ({
  type: "string",
  go,
  ...(values && { values }),
});

export const int = (go = "int", min?: number, max?: number): GoType => ({
  type: "int",
  go,
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
});

export const bool: GoType = { type: "bool", go: "bool" };

export const list = (of: GoType): GoType => ({ type: "list", go: `[]${of.go}`, of });

export const mapOf = (of: GoType): GoType => ({ type: "map", go: `map[string]${of.go}`, of });

export const struct = (go: string, fields: Readonly<Record<string, GoField>>): GoStruct => ({
  type: "struct",
  go,
  fields,
});

export const required = (type: GoType): GoField => ({ type, required: true });

export const optional = (type: GoType, fallback?: Json): GoField => ({
  type,
  required: false,
  ...(fallback !== undefined && { fallback }),
});
