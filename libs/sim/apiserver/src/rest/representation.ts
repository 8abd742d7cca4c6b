import { apiVersionOf, type ResourceType } from "@microremed/sim-kinds";
import type { KubeObject } from "@microremed/sim-objects";
import type { JsonCache } from "../output/json-cache.ts";

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

export interface TableOptions {
  /** Cluster time, ms since the epoch. */
  readonly now: number;
  /** `Object` sends whole objects with the rows, `None` nothing, anything else their metadata. */
  readonly includeObject: string | null;
  /** Clients that follow a watch get the columns once. */
  readonly withColumns: boolean;
  readonly json: JsonCache;
}

const none = Buffer.from("null");
const comma = Buffer.from(",");

function rowObject(object: KubeObject, include: string | null, json: JsonCache): Buffer {
  if (include === "Object") return json.object(object);
  return include === "None" ? none : json.metadata(object);
}

/** An object's JSON with one more field at its end: a list of what is JSON already. */
function withList(head: object, field: string, items: readonly (readonly Buffer[])[]): Buffer {
  const start = JSON.stringify(head).slice(0, -1);
  const parts = items.flatMap((item, index) => (index === 0 ? item : [comma, ...item]));
  return Buffer.concat([Buffer.from(`${start},"${field}":[`), ...parts, Buffer.from("]}")]);
}

/** A status with nonsense values must not prevent others from listing. */
function cellsOf(type: ResourceType, object: KubeObject, now: number): readonly unknown[] {
  try {
    return type.printer.cells(object, now);
  } catch {
    return type.printer.columns.map(({ name }) => (name === "Name" ? object.metadata.name : "<invalid>"));
  }
}

const rowEnd = Buffer.from("}");

/** metav1.Table with one row per object. */
function toTable(
  type: ResourceType,
  objects: readonly KubeObject[],
  metadata: object,
  { now, includeObject, withColumns, json }: TableOptions,
): Buffer {
  const columns = type.printer.columns.map((column) => ({
    name: column.name,
    type: column.type,
    format: column.format ?? "",
    description: "",
    priority: column.priority ?? 0,
  }));
  const head = {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: withColumns ? columns : null,
  };
  const rows = objects.map((object) => [
    Buffer.from(`{"cells":${JSON.stringify(cellsOf(type, object, now))},"object":`),
    rowObject(object, includeObject, json),
    rowEnd,
  ]);
  return withList(head, "rows", rows);
}

/** JSON of one object in the form that was asked for. */
export function render(type: ResourceType, object: KubeObject, form: Form, options: TableOptions): Buffer {
  if (form === "table") {
    return toTable(type, [object], { resourceVersion: object.metadata.resourceVersion }, options);
  }
  return form === "metadata" ? options.json.metadata(object) : options.json.object(object);
}

/** JSON of a list. `metadata`: the list's own. */
export function renderList(
  type: ResourceType,
  objects: readonly KubeObject[],
  metadata: object,
  form: Form,
  options: TableOptions,
): Buffer {
  const { json } = options;
  if (form === "table") return toTable(type, objects, metadata, options);
  if (form === "metadata") {
    const head = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata };
    return withList(
      head,
      "items",
      objects.map((object) => [json.metadata(object)]),
    );
  }
  return withList(
    { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata },
    "items",
    objects.map((object) => [json.object(object)]),
  );
}
