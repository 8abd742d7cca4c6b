import { isRecord, type KubeObject, type Loose } from "@microremed/sim-objects";
import { parseJsonPath } from "../fields/json-path.ts";
import { age } from "../resource-type/age.ts";
import { ageColumn, nameColumn, plainPrinter } from "../resource-type/columns.ts";
import { allVerbs, scaleSubresource, statusSubresource } from "../resource-type/define.ts";
import type { Cell, Printer, ResourceType, StoredAs } from "../resource-type/resource-type.ts";
import { isEstablished, resourceOf } from "./definitions.ts";

const shownAs: Readonly<Record<string, (value: Loose, now: number) => Cell>> = {
  date: (value, now) => (Number.isNaN(Date.parse(value)) ? "<invalid>" : age(String(value), now)),
  integer: (value) => (typeof value === "number" ? Math.trunc(value) : null),
  number: (value) => (typeof value === "number" ? value : null),
  boolean: (value) => (typeof value === "boolean" ? String(value) : null),
};

function cell(type: string, values: readonly Loose[], now: number): Cell {
  const [first] = values;
  if (first === undefined || first === null) return null;
  const show = shownAs[type];
  if (show) return show(first, now);
  return values.map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value))).join(",");
}

function printerOf(version: Loose): Printer {
  const given: readonly Loose[] = version.additionalPrinterColumns ?? [];
  if (given.length === 0) return plainPrinter;
  const paths = given.map(({ jsonPath }) => parseJsonPath(jsonPath) ?? (() => []));
  return {
    columns: [
      nameColumn,
      ...given.map(({ name, type, format, priority }) => ({
        ...(type === "date" && name === "Age" ? ageColumn : { name, type }),
        ...(format && { format }),
        ...(priority && { priority }),
      })),
    ],
    cells: (object, now) => [
      object.metadata.name,
      ...given.map(({ type }, index) => cell(type, paths[index]?.(object) ?? [], now)),
    ],
  };
}

/** Versions differ in name only: conversion webhooks do not exist here. */
function storedAs(definition: KubeObject, apiVersion: string): StoredAs {
  const { group, versions } = definition.spec;
  const storage = versions.find((version: Loose) => version.storage)?.name;
  return {
    ref: resourceOf(definition),
    fromStored: (object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion }),
    toStored: (object) => ({ ...object, apiVersion: `${group}/${storage}` }),
  };
}

/** The resources that a stored definition adds to the API: one for each served version, newest preference first. */
export function customTypes(definition: KubeObject): readonly ResourceType[] {
  if (!isEstablished(definition)) return [];
  const { names, group, scope, versions } = definition.spec;
  const ending = definition.metadata.deletionTimestamp !== undefined;
  const served: Loose[] = versions.filter((version: Loose) => version.served);
  return served.sort(byPriority).map((version): ResourceType => {
    const { status, scale } = version.subresources ?? {};
    const schema: Loose = version.schema?.openAPIV3Schema;
    return {
      ...resourceOf(definition),
      version: version.name,
      kind: names.kind,
      singular: names.singular ?? names.kind.toLowerCase(),
      namespaced: scope === "Namespaced",
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      verbs: ending ? allVerbs.filter((verb) => verb !== "create") : allVerbs,
      subresources: [
        ...(status ? [statusSubresource(names.kind)] : []),
        ...(scale ? [scaleSubresource] : []),
      ],
      printer: printerOf(version),
      stored: storedAs(definition, `${group}/${version.name}`),
      custom: {
        schema: isRecord(schema) ? schema : undefined,
        ...(scale && { scale }),
        ...(version.deprecated && {
          warning: version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated`,
        }),
      },
    };
  });
}

/** v2 before v1 before v1beta2 before v1alpha1, everything else by name after them. */
function byPriority(a: Loose, b: Loose): number {
  const rank = ({ name }: Loose): readonly number[] => {
    const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name) ?? [];
    if (!major) return [0];
    return [1, stage === undefined ? 2 : stage === "beta" ? 1 : 0, Number(major), Number(minor ?? 0)];
  };
  const left = rank(a);
  const right = rank(b);
  for (const [index, part] of right.entries()) {
    if (part !== (left[index] ?? -1)) return part - (left[index] ?? -1);
  }
  return a.name < b.name ? -1 : 1;
}
