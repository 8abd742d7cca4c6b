import type { Loose, StatusCause } from "@microremed/sim-objects";
import { invalidValue } from "../fields/field-errors.ts";
import type { Schema } from "../structural-schema/schema.ts";
import { hasRules, ruleViolations } from "./cel/rule-violations.ts";
import { schemaViolations } from "./schema-violations.ts";

/** With these, rules would be asked about what is not there or is something else. */
const blocking = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const unchecked = invalidValue(
  "<nil>",
  null,
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
);

/** Everything in which a custom object breaks its schema and its rules. `old`: the object before an update. */
export function customViolations(schema: Schema, object: Loose, old: Loose): StatusCause[] {
  const broken = schemaViolations(schema, object);
  if (!hasRules(schema)) return broken;
  if (broken.some(({ reason }) => blocking.has(reason))) return [...broken, unchecked];
  return [...broken, ...ruleViolations(schema, object, old)];
}
