import { ownNamesOnly } from "@microremed/core";
import { lastValue, readKubectlLine } from "@microremed/kubectl";

/** What a command line of kubectl does, as far as its text shows. */
export interface KubectlCall {
  readonly verb: string;
  /** Words after the verb that are no flags, up to `--`. */
  readonly operands: readonly string[];
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  readonly reads: boolean;
}

const reading = new Set(
  "api-resources api-versions cluster-info config describe events explain get logs top version wait diff options completion".split(
    " ",
  ),
);
const readingSubcommands: Readonly<Record<string, readonly string[]>> = ownNamesOnly({
  auth: ["can-i", "whoami"],
  rollout: ["history", "status"],
});

/** Reads a command's words; undefined when it is not kubectl. */
export function kubectlCall(words: readonly string[]): KubectlCall | undefined {
  const at = words.findIndex((word) => /(?:^|\/)kubectl$/.test(word));
  if (at < 0) return undefined;
  const line = readKubectlLine(words.slice(at + 1));
  const { verb, operands } = line;
  return {
    verb,
    operands,
    namespace: lastValue(line, "namespace"),
    allNamespaces: lastValue(line, "all-namespaces") === "true",
    reads: reading.has(verb) || (readingSubcommands[verb]?.includes(operands[0] ?? "") ?? false),
  };
}
