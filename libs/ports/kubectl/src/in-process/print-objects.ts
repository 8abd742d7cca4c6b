import type { KubeObject, ObjectTable } from "@microremed/cluster";
import { dump } from "js-yaml";
import { type Call, flagOf, isSet } from "./call.ts";
import { notSimulated } from "./failures.ts";
import { printJsonPath } from "./json-path.ts";
import { nameOf } from "./select-objects.ts";
import { sortObjects } from "./sort-objects.ts";

/**
 * Objects as `-o` wants them, other than as a table, with sorted keys as kubectl prints them. `single`: the object is printed
 * instead of a list of it. JSON and YAML leave out managed fields without `--show-managed-fields`.
 */
export function printAs(call: Call, output: string, objects: readonly KubeObject[], single: boolean): string {
  const [format = "", ...rest] = output.split("=");
  const printed = (all: readonly unknown[]): unknown =>
    sortedKeys(single && all[0] ? all[0] : { apiVersion: "v1", items: all, kind: "List", metadata: {} });
  const shown = () =>
    printed(isSet(call, "show-managed-fields") ? objects : objects.map(withoutManagedFields));
  if (format === "name") return objects.map((object) => `${nameOf(object)}\n`).join("");
  if (format === "json") return `${JSON.stringify(shown(), null, 4)}\n`;
  if (format === "yaml") return dump(shown(), { noRefs: true });
  if (format === "jsonpath") return printJsonPath(rest.join("="), printed(objects));
  throw notSimulated(`the output format ${format}`);
}

function withoutManagedFields({ metadata, ...object }: KubeObject): unknown {
  return { ...object, metadata: { ...metadata, managedFields: undefined } };
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const inOrder = given.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([key, inner]) => [key, sortedKeys(inner)]));
}

/** Tables as kubectl prints them. */
export function printTable(
  call: Call,
  tables: readonly (ObjectTable & { readonly prefix: string })[],
): string {
  const wide = flagOf(call, "output") === "wide";
  const sortBy = flagOf(call, "sort-by");
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const withKinds = filled.length > 1;
  return filled
    .map(({ columns, rows, prefix }) => {
      const shown = columns.flatMap(({ priority }, index) => (priority === 0 || wide ? [index] : []));
      const inOrder = sortObjects(rows, sortBy, ({ object }) => object);
      const everywhere = call.namespace === undefined;
      const lines = inOrder.map(({ cells, object }) => [
        ...(everywhere ? [object.metadata.namespace ?? ""] : []),
        ...shown.map((index) => `${withKinds && index === 0 ? prefix : ""}${cells[index] ?? "<none>"}`),
      ]);
      const head = [
        ...(everywhere ? ["NAMESPACE"] : []),
        ...shown.map((index) => (columns[index]?.name ?? "").toUpperCase()),
      ];
      return aligned(isSet(call, "no-headers") ? lines : [head, ...lines]);
    })
    .join("\n");
}

/** Columns three spaces apart. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const width = (column: number): number => Math.max(0, ...lines.map((cells) => cells[column]?.length ?? 0));
  const widths = (lines[0] ?? []).map((_cell, column) => width(column));
  return lines
    .map(
      (cells) =>
        `${cells.map((cell, column) => (column < cells.length - 1 ? cell.padEnd((widths[column] ?? 0) + 3) : cell)).join("")}\n`,
    )
    .join("");
}
