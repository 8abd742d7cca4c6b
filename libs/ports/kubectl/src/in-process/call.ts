import type { Cluster } from "@microremed/cluster";
import { KubectlFailure, notSimulated } from "./failures.ts";

/** One call of kubectl, read. */
export interface Call {
  readonly cluster: Cluster;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly verb: string;
  /** Words that are no flags, without the verb, up to `--`. */
  readonly operands: readonly string[];
  /** What follows `--`. */
  readonly command: readonly string[];
  /** By their long names, in order; a flag without a value is `true`. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly stdin: string;
  /** Cluster time that is left to the whole run, ms. */
  readonly timeLeft: () => Promise<number>;
}

const short: Readonly<Record<string, string>> = {
  n: "namespace",
  o: "output",
  l: "selector",
  A: "all-namespaces",
  c: "container",
  f: "filename",
  p: "patch",
  w: "watch",
};
const withValue = new Set(
  "namespace output selector container filename patch type replicas timeout for field-selector sort-by tail since limits requests image current-replicas to-revision grace-period propagation-policy cascade field-manager revision kubeconfig request-timeout resource-version containers".split(
    " ",
  ),
);
const withoutValue = new Set(
  "all all-namespaces ignore-not-found no-headers wait force now overwrite previous timestamps containers list record server-side force-conflicts show-labels".split(
    " ",
  ),
);

/** `containers` has a value for `set`, and none for `top`. */
const takesValue = (name: string, verb: string): boolean =>
  name === "containers" ? verb === "set" : withValue.has(name);

export interface Words {
  readonly operands: readonly string[];
  readonly command: readonly string[];
  readonly flags: ReadonlyMap<string, readonly string[]>;
}

/** Reads the words after `kubectl`. A flag that is not known here is not simulated. */
export function readWords(words: readonly string[]): Words {
  const operands: string[] = [];
  const flags = new Map<string, string[]>();
  const note = (name: string, value: string): void =>
    void flags.set(name, [...(flags.get(name) ?? []), value]);
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? "";
    if (word === "-" || !word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const { name, joined } = readFlag(word);
    const verb = operands[0] ?? "";
    if (joined !== undefined && (takesValue(name, verb) || withoutValue.has(name))) note(name, joined);
    else if (takesValue(name, verb)) {
      const value = before[++at];
      if (value === undefined) throw new KubectlFailure(`error: flag needs an argument: ${word}`);
      note(name, value);
    } else if (withoutValue.has(name)) note(name, "true");
    else throw notSimulated(`the flag ${word}`);
  }
  return { operands, command: end < 0 ? [] : words.slice(end + 1), flags };
}

function readFlag(word: string): { readonly name: string; readonly joined: string | undefined } {
  const long = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word);
  if (long) return { name: long[1] ?? "", joined: long[2] };
  const letter = word.charAt(1);
  const rest = word.slice(2).replace(/^=/, "");
  return { name: short[letter] ?? word, joined: rest === "" ? undefined : rest };
}

/** The last value of a flag. */
export const flagOf = (call: Pick<Call, "flags">, name: string): string | undefined =>
  call.flags.get(name)?.at(-1);

/** Whether a flag without a value is set. */
export function isSet(call: Pick<Call, "flags">, name: string, fallback = false): boolean {
  const value = flagOf(call, name);
  return value === undefined ? fallback : value !== "false";
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `1m30s`, `30` as ms. */
export function durationMs(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  if (parts.length === 0) throw new KubectlFailure(`error: invalid duration ${JSON.stringify(text)}`);
  return parts.reduce((sum, [, digits, unit]) => sum + Number(digits) * (unitMs[unit ?? ""] ?? 0), 0);
}
