import type { KubeObject, NewObject } from "@microremed/sim-objects";
import { eventPrinter } from "../printers/core-printers.ts";
import { inGroup } from "../resource-type/define.ts";
import type { ResourceType, StoredAs } from "../resource-type/resource-type.ts";

/** Names of the same fields: core/v1 Event -> events.k8s.io/v1 Event. */
const renamed: Readonly<Record<string, string>> = {
  involvedObject: "regarding",
  message: "note",
  source: "deprecatedSource",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
  reportingComponent: "reportingController",
};
const renamedBack = Object.fromEntries(Object.entries(renamed).map(([core, events]) => [events, core]));

function rename<T extends KubeObject | NewObject>(object: T, names: Readonly<Record<string, string>>): T {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [names[key] ?? key, value])) as T;
}

const asCoreEvent: StoredAs = {
  ref: { group: "", resource: "events" },
  fromStored: (object) => ({
    ...rename(object, renamed),
    apiVersion: "events.k8s.io/v1",
    eventTime: object["eventTime"] ?? null,
  }),
  toStored: (object) => ({ ...rename(object, renamedBack), apiVersion: "v1" }),
};

/** The printer reads the fields by their core names. */
const printer = {
  columns: eventPrinter.columns,
  cells: (object: KubeObject, now: number) => eventPrinter.cells(rename(object, renamedBack), now),
};

export const eventResources: readonly ResourceType[] = [
  inGroup("events.k8s.io", "v1")("events", "Event", { short: ["ev"], printer, stored: asCoreEvent }),
];
