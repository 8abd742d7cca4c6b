import type { StatusCause } from "@microremed/sim-objects";

export function required(field: string, detail = ""): StatusCause {
  return {
    reason: "FieldValueRequired",
    message: `Required value${detail && `: ${detail}`}`,
    field,
  };
}

/** `value` is shown as Go would print it: pass text through `JSON.stringify` only when it is a string. */
export function invalidValue(field: string, value: unknown, detail: string): StatusCause {
  const shown =
    typeof value === "object" && value !== null ? JSON.stringify(value) : JSON.stringify(value ?? null);
  return { reason: "FieldValueInvalid", message: `Invalid value: ${shown}: ${detail}`, field };
}

/** For values that print as Go literals. */
export function invalidLiteral(field: string, literal: string, detail: string): StatusCause {
  return { reason: "FieldValueInvalid", message: `Invalid value: ${literal}: ${detail}`, field };
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): StatusCause {
  const list = supported.map((name) => JSON.stringify(name)).join(", ");
  return {
    reason: "FieldValueNotSupported",
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`,
    field,
  };
}

/** For values that print as Go literals. */
export function unsupportedLiteral(
  field: string,
  literal: string,
  supported: readonly string[],
): StatusCause {
  const { message } = notSupported(field, "", supported);
  return {
    reason: "FieldValueNotSupported",
    message: message.replace('""', () => literal),
    field,
  };
}

export function duplicate(field: string, value: unknown): StatusCause {
  return { reason: "FieldValueDuplicate", message: `Duplicate value: ${JSON.stringify(value)}`, field };
}

export function notFoundValue(field: string, value: unknown): StatusCause {
  return { reason: "FieldValueNotFound", message: `Not found: ${JSON.stringify(value)}`, field };
}

/** A field that may not be set or changed, in the words of Kubernetes' `field.Forbidden`. */
export function forbiddenField(field: string, detail: string): StatusCause {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${detail}`, field };
}

/** A Go map literal, as `%#v` prints string maps. */
export function goStringMap(map: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]string{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(", ")}}`;
}
