import { isRecord, type Loose, type LooseRecord } from "@microremed/sim-objects";
import type { Schema } from "../structural-schema/schema.ts";
import { listMerge } from "./merge-keys.ts";

/** How a value is owned and merged: field by field, element by element, or as a whole. `path`: field names only. */
export interface MergeRules {
  /** Objects that are one value. */
  isAtomic(path: readonly string[]): boolean;
  /** Fields that identify a list's elements, with the value of an absent one; `set`; undefined: one value. */
  list(path: readonly string[]): ReadonlyMap<string, Loose> | "set" | undefined;
}

const keyed = (...keys: readonly (readonly [string, Loose])[]): ReadonlyMap<string, Loose> => new Map(keys);
const byProtocol: Readonly<Record<string, ReadonlyMap<string, Loose>>> = {
  containerPort: keyed(["containerPort", undefined], ["protocol", "TCP"]),
  port: keyed(["port", undefined], ["protocol", "TCP"]),
  topologyKey: keyed(["topologyKey", undefined], ["whenUnsatisfiable", undefined]),
};

/** Selectors and references are one value (`x-kubernetes-map-type: atomic`). */
const atomic = new Set([
  "selector",
  "labelSelector",
  "podSelector",
  "namespaceSelector",
  "nodeSelector",
  "scopeSelector",
  "configMapKeyRef",
  "secretKeyRef",
  "fieldRef",
  "resourceFieldRef",
  "scaleTargetRef",
  "targetRef",
  "roleRef",
]);

/**
 * The merge rules of one of Kubernetes' own kinds: which maps and lists are atomic, and the key of each list's items.
 */
export function builtInRules(kind: string): MergeRules {
  return {
    isAtomic: (path) => atomic.has(path.at(-1) ?? "") && path[0] !== "metadata",
    list(path) {
      const how = listMerge(kind, path);
      // Conditions of kinds that strategic patches replace whole are still identified by type.
      if (how === undefined) return path.at(-1) === "conditions" ? keyed(["type", undefined]) : undefined;
      if (how === "set") return how;
      return byProtocol[how.key] ?? keyed([how.key, undefined]);
    },
  };
}

const metadataRules = builtInRules("");

function schemaAt(root: Schema, path: readonly string[]): LooseRecord | undefined {
  let schema: Loose = root;
  for (const step of path) {
    while (isRecord(schema?.items)) schema = schema.items;
    schema = schema?.properties?.[step] ?? schema?.additionalProperties;
    if (!isRecord(schema)) return undefined;
  }
  return schema;
}

/** Custom resources, by the list and map types in their schema. */
export function customRules(schema: Schema): MergeRules {
  return {
    isAtomic: (path) =>
      path[0] !== "metadata" && schemaAt(schema, path)?.["x-kubernetes-map-type"] === "atomic",
    list(path) {
      if (path[0] === "metadata") return metadataRules.list(path);
      const list = schemaAt(schema, path);
      const keys: Loose = list?.["x-kubernetes-list-map-keys"];
      if (list?.["x-kubernetes-list-type"] === "set") return "set";
      if (list?.["x-kubernetes-list-type"] !== "map" || !Array.isArray(keys)) return undefined;
      return new Map(keys.map((key) => [key, list["items"]?.properties?.[key]?.default]));
    },
  };
}
