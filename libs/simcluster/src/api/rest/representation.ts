import type { KubeObject } from "../../objects.ts";
import type { ResourceType } from "../resources/resource-type.ts";

/** The form in which a client wants objects, from its Accept header. */
export type Form = "object" | "table" | "metadata";

/** The first form that the Accept header names and that this server knows. */
export function acceptedForm(accept: string | undefined): Form {
  for (const part of (accept ?? "").split(",")) {
    const as = /;\s*as=([A-Za-z]+)/.exec(part)?.[1];
    const isJson = part.trim().startsWith("application/json");
    if (isJson && as === "Table") return "table";
    if (isJson && as?.startsWith("PartialObjectMetadata")) return "metadata";
    if (isJson && as === undefined) return "object";
  }
  return "object";
}

function partialMetadata(object: KubeObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}

export interface TableOptions {
  /** Cluster time, ms since the epoch. */
  readonly now: number;
  /** `Object` sends whole objects with the rows, `None` nothing, anything else their metadata. */
  readonly includeObject: string | null;
  /** Clients that follow a watch get the columns once. */
  readonly withColumns: boolean;
}

function rowObject(object: KubeObject, include: string | null): object | null {
  if (include === "Object") return object;
  return include === "None" ? null : partialMetadata(object);
}

/** A status that somebody has filled with nonsense must not keep others from listing. */
function cellsOf(type: ResourceType, object: KubeObject, now: number): readonly unknown[] {
  try {
    return type.printer.cells(object, now);
  } catch {
    return type.printer.columns.map(({ name }) => (name === "Name" ? object.metadata.name : "<invalid>"));
  }
}

/** metav1.Table with one row per object. */
function toTable(
  type: ResourceType,
  objects: readonly KubeObject[],
  metadata: object,
  { now, includeObject, withColumns }: TableOptions,
): object {
  const columns = type.printer.columns.map((column) => ({
    name: column.name,
    type: column.type,
    format: column.format ?? "",
    description: "",
    priority: column.priority ?? 0,
  }));
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: withColumns ? columns : null,
    rows: objects.map((object) => ({
      cells: cellsOf(type, object, now),
      object: rowObject(object, includeObject),
    })),
  };
}

export function render(type: ResourceType, object: KubeObject, form: Form, options: TableOptions): object {
  if (form === "table") {
    return toTable(type, [object], { resourceVersion: object.metadata.resourceVersion }, options);
  }
  return form === "metadata" ? partialMetadata(object) : object;
}

/** `metadata`: the list's own. */
export function renderList(
  type: ResourceType,
  objects: readonly KubeObject[],
  metadata: object,
  form: Form,
  options: TableOptions,
): object {
  if (form === "table") return toTable(type, objects, metadata, options);
  if (form === "metadata") {
    return {
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      metadata,
      items: objects.map(partialMetadata),
    };
  }
  const apiVersion = type.group === "" ? type.version : `${type.group}/${type.version}`;
  return { kind: `${type.kind}List`, apiVersion, metadata, items: objects };
}
