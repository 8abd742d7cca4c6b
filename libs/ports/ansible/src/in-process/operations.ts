import { isDeepStrictEqual } from "node:util";
import { notInterpreted, TemplateError } from "./template-error.ts";
import { isTrue, isUndefined, textOf, Undefined } from "./values.ts";

export function number(value: unknown): number {
  if (isUndefined(value)) throw value.error;
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  throw new TemplateError(`unsupported operand: ${textOf(value)} is no number`);
}

export function add(left: unknown, right: unknown): unknown {
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (typeof left === "string" && typeof right === "string") return left + right;
  return number(left) + number(right);
}

export function compare(left: unknown, operator: string, right: unknown): boolean {
  for (const side of [left, right]) if (isUndefined(side)) throw side.error;
  if (operator === "==") return isDeepStrictEqual(left, right);
  if (operator === "!=") return !isDeepStrictEqual(left, right);
  const sides =
    typeof left === "string" && typeof right === "string" ? [left, right] : [number(left), number(right)];
  const [a = 0, b = 0] = sides;
  return operator === "<" ? a < b : operator === ">" ? a > b : operator === "<=" ? a <= b : a >= b;
}

export function contains(whole: unknown, part: unknown): boolean {
  if (isUndefined(whole)) throw whole.error;
  if (Array.isArray(whole)) return whole.some((item) => isDeepStrictEqual(item, part));
  if (typeof whole === "string") return whole.includes(textOf(part));
  return typeof whole === "object" && whole !== null && Object.hasOwn(whole, textOf(part));
}

/** Own properties of data alone: never what JavaScript itself has. */
export function member(value: unknown, key: unknown): unknown {
  if (isUndefined(value)) return value;
  const missing = new Undefined(
    `'${typeof value === "object" ? "dict object" : typeof value}' has no attribute '${textOf(key)}', it`,
  );
  if (Array.isArray(value)) return (typeof key === "number" ? value.at(key) : undefined) ?? missing;
  if (typeof value === "string") return typeof key === "number" ? (value.at(key) ?? missing) : missing;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, textOf(key))) return missing;
  return (value as Record<string, unknown>)[textOf(key)];
}

export function runTest(name: string, value: unknown): boolean {
  if (name === "defined") return !isUndefined(value);
  if (name === "undefined") return isUndefined(value);
  if (isUndefined(value)) throw value.error;
  const flag = (key: string): boolean => isTrue((value as Record<string, unknown> | null)?.[key] ?? false);
  switch (name) {
    case "none":
      return value === null;
    case "failed":
      return flag("failed");
    case "succeeded":
    case "success":
      return !flag("failed");
    case "changed":
      return flag("changed");
    case "skipped":
      return flag("skipped");
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "mapping":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      throw notInterpreted(`the test "is ${name}"`);
  }
}
