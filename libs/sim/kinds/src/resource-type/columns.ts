import type { KubeObject, Loose } from "@microremed/sim-objects";
import { age } from "./age.ts";
import type { Column, Printer } from "./resource-type.ts";

/** A column of text that `kubectl get` always shows. */
export function text(name: string): Column {
  return { name, type: "string" };
}

export function integer(name: string): Column {
  return { name, type: "integer" };
}

export function wide(name: string): Column {
  return { name, type: "string", priority: 1 };
}

/** The column NAME, the first of every kind. */
export const nameColumn: Column = { name: "Name", type: "string", format: "name" };
export const ageColumn = text("Age");

/** NAME and AGE: what kinds without columns of their own show. */
export const plainPrinter: Printer = {
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name, age(object.metadata.creationTimestamp, now)],
};

export function orNone(value: unknown): string {
  return value === undefined || value === null || value === "" ? "<none>" : String(value);
}

/** `a=b,c in (d,e)` as selectors and label maps print. */
export function selectorText(selector: Loose): string {
  if (!selector) return "<none>";
  const parts = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (operator === "Exists") parts.push(key);
    else if (operator === "DoesNotExist") parts.push(`!${key}`);
    else parts.push(`${key} ${operator === "In" ? "in" : "notin"} (${[...values].sort().join(",")})`);
  }
  return parts.length === 0 ? "<none>" : parts.sort().join(",");
}

/** Labels as kubectl prints them: `a=b,c=d`, by key; `<none>` without any. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  return selectorText({ matchLabels: labels ?? {} });
}

export const containerColumns: readonly Column[] = [wide("Containers"), wide("Images"), wide("Selector")];

/** Names, images and selector of a workload: its wide columns. */
export function containerCells(object: KubeObject): string[] {
  const containers: Loose[] = object.spec?.template?.spec?.containers ?? [];
  return [
    containers.map((container) => container.name).join(","),
    containers.map((container) => container.image).join(","),
    selectorText(object.spec?.selector),
  ];
}
