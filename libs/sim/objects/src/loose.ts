import type { KubeObject } from "./objects.ts";

/** JSON inside an object whose shape its kind decides; the code that reads it narrows it. */
export type Loose = KubeObject["spec"];

/** A JSON object whose fields its kind decides. */
export type LooseRecord = Record<string, Loose>;

/** Whether a value is a JSON object: not null, and no array. */
export function isRecord(value: unknown): value is LooseRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
