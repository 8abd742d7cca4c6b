import type { Cluster, CustomResource } from "@microremed/cluster";
import { readKubectlLine } from "../kubectl-line.ts";
import { isFlag, isSubcommand, isVerb } from "../kubectl-names.ts";
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
  /** Kinds that are not Kubernetes' own: empty as long as no word of the call can mean one. */
  readonly custom: readonly CustomResource[];
  /** Cluster time that is left to the whole run, ms. */
  readonly timeLeft: () => Promise<number>;
}

const simulated = new Set(
  "all all-namespaces cascade container containers current-replicas field-manager field-selector filename for force force-conflicts grace-period ignore-not-found image kubeconfig limits list namespace no-headers now output overwrite patch previous propagation-policy record replicas request-timeout requests resource-version revision selector server-side show-labels show-managed-fields since sort-by tail timeout timestamps to-revision type wait watch".split(
    " ",
  ),
);

export interface Words {
  readonly operands: readonly string[];
  readonly command: readonly string[];
  readonly flags: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the words after `kubectl`. A verb or flag that kubectl does not have is its caller's mistake; a flag that no verb here
 * heeds is not simulated.
 */
export function readWords(words: readonly string[]): Words {
  const { verb, operands, command = [], flags } = readKubectlLine(words);
  if (verb !== "" && !isVerb(verb))
    throw new KubectlFailure(`error: unknown command "${verb}" for "kubectl"`);
  const values = new Map<string, string[]>();
  for (const { name, value, word } of flags) {
    if (!simulated.has(name)) throw isFlag(name) ? notSimulated(`the flag ${word}`) : unknownFlag(verb, word);
    if (value === undefined) throw new KubectlFailure(`error: flag needs an argument: ${word}`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { operands: verb === "" ? [] : [verb, ...operands], command, flags: values };
}

/** In kubectl's words. */
function unknownFlag(verb: string, word: string): KubectlFailure {
  const what = word.startsWith("--")
    ? `unknown flag: ${word.split("=")[0]}`
    : `unknown shorthand flag: '${word.charAt(1)}' in ${word}`;
  return new KubectlFailure(`error: ${what}\nSee '${`kubectl ${verb}`.trim()} --help' for usage.`);
}

/** What follows on a verb that has such subcommands and does not have this one, or has it and cannot be asked here. */
export function noSubcommand(verb: "rollout" | "set", { operands }: Pick<Call, "operands">): Error {
  const [what = ""] = operands;
  if (what === "" || isSubcommand(verb, what)) return notSimulated(`${verb} ${what}`);
  return new KubectlFailure(
    `error: unknown command "${operands.join(" ")}"\nSee 'kubectl ${verb} -h' for help and examples`,
  );
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
