import { apiVersionOf, type ResourceType } from "@microremed/sim-kinds";
import type { KubeObject } from "@microremed/sim-objects";
import type { JsonCache } from "../output/json-cache.ts";
import { Rendered } from "../output/rendered.ts";

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

/** One object in the form that was asked for. */
export function render(type: ResourceType, object: KubeObject, form: Form, options: TableOptions): Rendered {
  const { json } = options;
  if (form === "table") {
    const { resourceVersion } = object.metadata;
    return new Rendered(() => toTable(type, [object], { resourceVersion }, options));
  }
  if (form === "metadata") return new Rendered(() => json.metadata(object));
  return new Rendered(
    () => json.object(object),
    () => json.value(object),
  );
}

/** A list in the form that was asked for. `metadata`: the list's own. */
export function renderList(
  type: ResourceType,
  objects: readonly KubeObject[],
  metadata: object,
  form: Form,
  options: TableOptions,
): Rendered {
  const { json } = options;
  const written = (head: object, write: (object: KubeObject) => Buffer): Buffer =>
    withList(
      head,
      "items",
      objects.map((object) => [write(object)]),
    );
  if (form === "table") return new Rendered(() => toTable(type, objects, metadata, options));
  if (form === "metadata") {
    const head = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata };
    return new Rendered(() => written(head, json.metadata));
  }
  const head = { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata };
  return new Rendered(
    () => written(head, json.object),
    () => ({ ...head, items: objects.map(json.value) }),
  );
}
