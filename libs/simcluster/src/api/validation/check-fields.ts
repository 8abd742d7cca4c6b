import { unknownChaosFields } from "../../chaos/admission.ts";
import type { NewObject } from "../../objects.ts";
import { badRequest } from "../../store/status-error.ts";
import type { Call } from "../context.ts";
import { decode } from "../schema/decode.ts";
import { findStruct } from "../schema/structs.ts";

const levels = ["Strict", "Warn", "Ignore"];

/**
 * Checks the fields' names and types as decoding into Go structs does, for the kinds whose structs are known, and
 * returns the object without the unknown ones. `fieldValidation` says what becomes of those: an error, a warning
 * (the default), or nothing.
 */
export function checkFields({ type, query, response }: Call, object: NewObject): NewObject {
  const level = query.get("fieldValidation") || "Warn";
  if (!levels.includes(level)) {
    throw badRequest(
      `fieldValidation: Unsupported value: ${JSON.stringify(level)}: supported values: "", "Ignore", "Strict", "Warn"`,
    );
  }
  const root = `${type.group}/${type.kind}`;
  const { value, unknown, wrongType } = findStruct(root)
    ? decode(root, type.kind, object)
    : { value: object, unknown: unknownChaosFields(type.resource, object), wrongType: undefined };
  const refused = `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: `;
  if (wrongType !== undefined) throw badRequest(refused + wrongType);
  const texts = unknown.map((field) => `unknown field ${JSON.stringify(field)}`);
  if (texts.length > 0 && level === "Strict") {
    throw badRequest(`${refused}strict decoding error: ${texts.join(", ")}`);
  }
  if (level === "Warn") {
    for (const text of texts.slice(0, 20)) response.appendHeader("warning", `299 - ${JSON.stringify(text)}`);
  }
  return value;
}
