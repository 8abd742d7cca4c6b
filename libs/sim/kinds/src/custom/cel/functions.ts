import { isIP } from "node:net";
import type { Environment } from "@marcbachmann/cel-js";
import { parseQuantity } from "@microremed/sim-objects";

/** What expressions compare: numbers of either kind, text, times. */
type Ordered = bigint | number | string;

const compare = (a: Ordered, b: Ordered): number => (a < b ? -1 : a > b ? 1 : 0);

function extreme(items: readonly Ordered[], sign: 1 | -1, name: string): Ordered {
  const [first, ...others] = items;
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return others.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best), first);
}

function sum(items: readonly (bigint | number)[]): bigint | number {
  if (items.some((item) => typeof item === "number"))
    return items.reduce<number>((total, item) => total + Number(item), 0);
  return items.reduce<bigint>((total, item) => total + BigInt(item), 0n);
}

/** What one call of `replace` may make at most, characters. */
const maxText = 1024 * 1024;

function replace(text: string, old: string, put: string, limit: bigint): string {
  const parts = text.split(old);
  const times = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  if (text.length + times * put.length > maxText) throw new Error("the replaced text is too long");
  return `${parts.slice(0, times).join(put)}${times > 0 ? put : ""}${parts.slice(times).join(old)}`;
}

function charAt(text: string, at: bigint): string {
  const characters = [...text];
  if (at < 0n || at > characters.length) throw new Error(`index out of range: ${at}`);
  return characters[Number(at)] ?? "";
}

const findAll = (text: string, pattern: string, limit = -1n): string[] =>
  [...text.matchAll(new RegExp(pattern, "gu"))]
    .slice(0, limit < 0n ? undefined : Number(limit))
    .map(([match]) => match);

class Quantity {
  readonly value: number;
  constructor(text: string) {
    const value = parseQuantity(text);
    if (value === undefined) throw new Error(`quantities must match the regular expression: ${text}`);
    this.value = value;
  }
}

class Url {
  readonly url: URL;
  constructor(text: string) {
    this.url = new URL(text);
  }
}

/** Structs without fields whose functions are called as theirs: `sets.contains(a, b)`. */
class Sets {}

const has = (list: readonly Ordered[], item: Ordered): boolean =>
  list.some((each) => compare(each, item) === 0);
const holds = (list: readonly Ordered[], other: readonly Ordered[]): boolean =>
  other.every((item) => has(list, item));

type Handler = (...args: never[]) => unknown;

const functions: Readonly<Record<string, Handler>> = {
  "list.isSorted(): bool": (list: Ordered[]) =>
    list.every((item, index) => index === 0 || compare(list[index - 1] ?? item, item) <= 0),
  "list.sum(): dyn": sum,
  "list.min(): dyn": (list: Ordered[]) => extreme(list, -1, "min"),
  "list.max(): dyn": (list: Ordered[]) => extreme(list, 1, "max"),
  "list.indexOf(dyn): int": (list: Ordered[], item: Ordered) =>
    BigInt(list.findIndex((each) => compare(each, item) === 0)),
  "list.lastIndexOf(dyn): int": (list: Ordered[], item: Ordered) =>
    BigInt(list.findLastIndex((each) => compare(each, item) === 0)),
  "string.find(string): string": (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? "",
  "string.findAll(string): list<string>": (text: string, pattern: string) => findAll(text, pattern),
  "string.findAll(string, int): list<string>": findAll,
  "string.charAt(int): string": charAt,
  "string.replace(string, string): string": (text: string, old: string, put: string) =>
    replace(text, old, put, -1n),
  "string.replace(string, string, int): string": replace,
  "Sets.contains(list, list): bool": (_: Sets, a: Ordered[], b: Ordered[]) => holds(a, b),
  "Sets.equivalent(list, list): bool": (_: Sets, a: Ordered[], b: Ordered[]) => holds(a, b) && holds(b, a),
  "Sets.intersects(list, list): bool": (_: Sets, a: Ordered[], b: Ordered[]) =>
    a.some((item) => has(b, item)),
  "quantity(string): Quantity": (text: string) => new Quantity(text),
  "isQuantity(string): bool": (text: string) => parseQuantity(text) !== undefined,
  "Quantity.isGreaterThan(Quantity): bool": (a: Quantity, b: Quantity) => a.value > b.value,
  "Quantity.isLessThan(Quantity): bool": (a: Quantity, b: Quantity) => a.value < b.value,
  "Quantity.compareTo(Quantity): int": (a: Quantity, b: Quantity) => BigInt(compare(a.value, b.value)),
  "Quantity.sign(): int": ({ value }: Quantity) => BigInt(Math.sign(value)),
  "Quantity.isInteger(): bool": ({ value }: Quantity) => Number.isInteger(value),
  "Quantity.asInteger(): int": ({ value }: Quantity) => BigInt(value),
  "Quantity.asApproximateFloat(): double": ({ value }: Quantity) => value,
  "isURL(string): bool": (text: string) => URL.canParse(text),
  "url(string): Url": (text: string) => new Url(text),
  "Url.getScheme(): string": ({ url }: Url) => url.protocol.slice(0, -1),
  "Url.getHost(): string": ({ url }: Url) => url.host,
  "Url.getHostname(): string": ({ url }: Url) => url.hostname,
  "Url.getPort(): string": ({ url }: Url) => url.port,
  "Url.getEscapedPath(): string": ({ url }: Url) => url.pathname,
  "isIP(string): bool": (text: string) => isIP(text) !== 0,
};

/** Adds the functions that Kubernetes has beyond CEL's own: of lists, sets, text, quantities, addresses. */
export function addFunctions(environment: Environment): void {
  environment.registerType("Quantity", Quantity);
  environment.registerType("Url", Url);
  environment.registerType("Sets", Sets);
  environment.registerConstant("sets", "Sets", new Sets());
  for (const [signature, handler] of Object.entries(functions))
    environment.registerFunction(signature, handler as (...args: unknown[]) => unknown);
}
