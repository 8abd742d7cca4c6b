import { type Decoded, decode, modelOf, prune, type ResourceType } from "@microremed/sim-kinds";
import { badRequest, isRecord, type NewObject, StatusError } from "@microremed/sim-objects";
import type { Call } from "../context/context.ts";

const levels = ["Strict", "Warn", "Ignore"];

/** What is known and unknown of an object's fields. */
export function decoded(type: ResourceType, object: NewObject): Decoded {
  if (type.custom) {
    const unknown: string[] = [];
    const { schema } = type.custom;
    return { value: schema ? prune(schema, object, "", unknown) : object, unknown, wrongType: undefined };
  }
  const model = modelOf(type);
  if (model !== undefined) return decode(model, object);
  return { value: object, unknown: type.installed?.unknownFields(object) ?? [], wrongType: undefined };
}

/** Where the first value that is not base64 goes wrong. */
function badBase64(data: unknown): number | undefined {
  for (const value of Object.values(isRecord(data) ? data : {})) {
    const text = String(value);
    const wrong = text.search(/[^A-Za-z0-9+/=\r\n]/);
    if (wrong >= 0) return wrong;
    if (text.replace(/[\r\n]/g, "").length % 4 !== 0) return text.length - (text.length % 4);
  }
  return undefined;
}

/** An object that does not decode into its kind's fields. */
export class DecodingError extends StatusError {
  /** What is wrong, without the object. */
  readonly what: string;
  /** The same message as for strategic merge patches. */
  readonly converted: string;

  constructor(type: ResourceType, what: string, converted = what) {
    const refused = `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: `;
    super(400, "BadRequest", refused + what);
    this.what = what;
    this.converted = converted;
  }
}

/** Fields that are both unknown and repeated are only called unknown. */
function strictErrors(type: ResourceType, repeated: readonly string[], unknown: readonly string[]): string[] {
  const names = unknown.map((field) => `unknown field ${JSON.stringify(field)}`);
  if (type.custom) return [...repeated, ...names];
  return [...names, ...repeated.filter((text) => !names.includes(text.replace(/^duplicate/, "unknown")))];
}

/** As shown in one error: the YAML decoder's findings have their own head line. */
function inOneError(errors: readonly string[]): string {
  const texts = errors.map((text) =>
    text.startsWith("line ") ? `yaml: unmarshal errors:\n  ${text}` : text,
  );
  return `strict decoding error: ${texts.join(", ")}`;
}

/**
 * Checks the fields' names and types as decoding into Go structs does, for the kinds whose structs are known, and
 * returns the object without the unknown ones. `fieldValidation` says what becomes of those and of repeated ones: an
 * error, a warning (the default), or nothing. Throws DecodingError.
 */
export function checkFields({ type, query, response, repeated }: Call, object: NewObject): NewObject {
  const level = query.get("fieldValidation") || "Warn";
  if (!levels.includes(level)) {
    throw badRequest(
      `fieldValidation: Unsupported value: ${JSON.stringify(level)}: supported values: "", "Ignore", "Strict", "Warn"`,
    );
  }
  const { value, unknown, wrongType } = decoded(type, object);
  if (wrongType !== undefined) throw new DecodingError(type, wrongType.text, wrongType.converted);
  if (type.kind === "Secret") {
    const at = badBase64(value["data"]);
    if (at !== undefined) throw new DecodingError(type, `illegal base64 data at input byte ${at}`);
  }
  const texts = strictErrors(type, repeated, unknown);
  if (texts.length > 0 && level === "Strict") throw new DecodingError(type, inOneError(texts));
  if (type.custom?.warning) response.appendHeader("warning", `299 - ${JSON.stringify(type.custom.warning)}`);
  if (level === "Warn") {
    for (const text of texts.slice(0, 20)) response.appendHeader("warning", `299 - ${JSON.stringify(text)}`);
  }
  return value;
}
