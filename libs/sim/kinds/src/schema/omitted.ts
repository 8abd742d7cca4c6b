import { isRecord } from "@microremed/sim-objects";
import { omittedFields } from "./omitted-fields.generated.ts";

const none: ReadonlySet<string> = new Set();
const known = new Map<string, ReadonlySet<string>>();

/**
 * The fields of a model that are left out of JSON when they hold their zero: to write it changes nothing, and where
 * there is a default the zero asks for it.
 */
export function omittedOf(model: string): ReadonlySet<string> {
  const found = known.get(model);
  if (found) return found;
  const fields = omittedFields[model];
  const omitted = fields === undefined ? none : new Set(fields.split(" "));
  known.set(model, omitted);
  return omitted;
}

/** Whether Go takes a value of JSON for the zero of a field that is no pointer. */
export function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isRecord(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}
