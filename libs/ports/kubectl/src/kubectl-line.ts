import { ownNamesOnly } from "@microremed/core";
/** A flag of a command line of kubectl. */
export interface KubectlFlag {
  /** Its long name: `namespace` for `-n`. */
  readonly name: string;
  /** "true" for one that is set without a value; undefined: its value is missing. */
  readonly value: string | undefined;
  /** As it is written, without a value in the next word. */
  readonly word: string;
}

/** A command line of kubectl, read. */
export interface KubectlLine {
  /** Empty when there is none. */
  readonly verb: string;
  /** Words after the verb that are no flags, up to `--`. */
  readonly operands: readonly string[];
  /** What follows `--`; undefined when there is no `--`. */
  readonly command: readonly string[] | undefined;
  /** In order. A name that kubectl does not have is here too, and takes no value from the next word. */
  readonly flags: readonly KubectlFlag[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/**
 * Flags that take a value, in the same word or the next. All others are set or not; or their value can only be joined
 * to them: `--dry-run=client`.
 */
const withValue = words(
  "aggregation-rule annotations api-group api-version as as-group as-uid audience cache-dir categories certificate-authority chunk-size class client-certificate client-key cluster cluster-ip clusterip clusterrole concurrency container context copy-to cpu-percent current-replicas custom description duration env external-ip field-manager field-selector filename for from from-env-file from-file from-literal grace-period group hard image image-pull-policy keys kubeconfig kustomize label-columns labels limit-bytes limits load-balancer-ip log-flush-frequency max max-log-requests max-unavailable min min-available name namespace namespaces output output-directory override-type overrides password patch patch-file pod-running-timeout pod-selector port profile profile-output propagation-policy protocol prune-allowlist replicas request-timeout requests resource resource-name resource-version restart retries revision role rule schedule selector server serviceaccount session-affinity set-image since since-time skip-wait-for-delete-timeout sort-by subresource tail target target-port tcp template timeout tls-server-name to-revision token type types user username v value verb verbs vmodule",
);
/** What one name means to single verbs. */
const withValueFor: Readonly<Record<string, ReadonlySet<string>>> = ownNamesOnly({
  containers: words("set"),
  prefix: words("set"),
  raw: words("create delete get replace"),
});

const letters: Readonly<Record<string, string>> = {
  A: "all-namespaces",
  L: "label-columns",
  R: "recursive",
  c: "container",
  e: "env",
  f: "filename",
  i: "stdin",
  k: "kustomize",
  l: "selector",
  n: "namespace",
  o: "output",
  p: "patch",
  q: "quiet",
  r: "replicas",
  s: "server",
  t: "tty",
  v: "v",
  w: "watch",
};
/** Letters that single verbs use for something else. */
const lettersOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  delete: { i: "interactive" },
  expose: { l: "labels" },
  logs: { f: "follow", p: "previous" },
  run: { l: "labels" },
  set: { c: "containers" },
};

/** Whether a flag of this long name takes the next word as its value. */
export function takesNextWord(name: string, verb: string): boolean {
  return withValue.has(name) || (withValueFor[name]?.has(verb) ?? false);
}

/** The long name of a letter; undefined when kubectl has no such flag. */
export function longName(letter: string, verb: string): string | undefined {
  const own = Object.hasOwn(lettersOf, verb) ? lettersOf[verb]?.[letter] : undefined;
  return own ?? (Object.hasOwn(letters, letter) ? letters[letter] : undefined);
}

/** Reads the words after `kubectl`. Whether a flag or a verb is one that kubectl has is for the caller to say. */
export function readKubectlLine(line: readonly string[]): KubectlLine {
  const end = line.indexOf("--");
  const before = end < 0 ? line : line.slice(0, end);
  const found: string[] = [];
  const flags: KubectlFlag[] = [];
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? "";
    if (word === "-" || !word.startsWith("-")) {
      found.push(word);
      continue;
    }
    for (const { name, joined } of flagsIn(word, found[0] ?? "")) {
      const takes = joined === undefined && takesNextWord(name, found[0] ?? "");
      flags.push({ name, word, value: takes ? before[++at] : (joined ?? "true") });
    }
  }
  const [verb = "", ...operands] = found;
  return { verb, operands, command: end < 0 ? undefined : line.slice(end + 1), flags };
}

/** The last value of a flag. */
export function lastValue({ flags }: Pick<KubectlLine, "flags">, name: string): string | undefined {
  return flags.findLast((flag) => flag.name === name)?.value;
}

type Read = { readonly name: string; readonly joined: string | undefined };

/** `--name`, `--name=value`, `-n`, `-nvalue`, `-n=value`, and letters without values in a row: `-it`. */
function flagsIn(word: string, verb: string): Read[] {
  const long = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word);
  if (long) return [{ name: long[1] ?? "", joined: long[2] }];
  const read: Read[] = [];
  for (let rest = word.slice(1); rest !== ""; rest = rest.slice(1)) {
    const name = longName(rest.charAt(0), verb);
    if (name === undefined) return [...read, { name: word, joined: undefined }];
    const after = rest.slice(1);
    if (takesNextWord(name, verb) || after.startsWith("=")) {
      return [...read, { name, joined: after === "" ? undefined : after.replace(/^=/, "") }];
    }
    read.push({ name, joined: undefined });
  }
  return read;
}
