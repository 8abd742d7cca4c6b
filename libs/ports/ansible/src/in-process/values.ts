import { TemplateError } from "./template-error.ts";

/** A variable that is not there: an error as soon as it is used for anything but asking whether it is there. */
export class Undefined {
  readonly error: TemplateError;

  constructor(what: string) {
    this.error = new TemplateError(
      `The task includes an option with an undefined variable. The error was: ${what} is undefined`,
    );
  }
}

export const isUndefined = (value: unknown): value is Undefined => value instanceof Undefined;

/** What Python takes for true. */
export function isTrue(value: unknown): boolean {
  if (isUndefined(value)) throw value.error;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== false && value !== null && value !== undefined && value !== "" && value !== 0;
}

/** A value as a template prints it. */
export function textOf(value: unknown): string {
  if (isUndefined(value)) throw value.error;
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
