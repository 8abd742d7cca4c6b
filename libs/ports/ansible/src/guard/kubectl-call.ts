/** What a command line of kubectl does, as far as its text shows. */
export interface KubectlCall {
  readonly verb: string;
  /** Words after the verb that are no flags, up to `--`. */
  readonly operands: readonly string[];
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  readonly reads: boolean;
}

const flagsWithValue = new Set(
  "-n --namespace --context --cluster --user --kubeconfig -s --server --token --request-timeout --cache-dir -c --container -l --selector -o --output --as -p --patch --type -f --filename --field-selector --timeout --replicas --image --dry-run --sort-by --tail --since -k --kustomize --for".split(
    " ",
  ),
);
const reading = new Set(
  "api-resources api-versions cluster-info config describe events explain get logs top version wait diff options completion".split(
    " ",
  ),
);
const readingSubcommands: Readonly<Record<string, readonly string[]>> = {
  auth: ["can-i", "whoami"],
  rollout: ["history", "status"],
};

/** Reads a command's words; undefined when it is not kubectl. */
export function kubectlCall(words: readonly string[]): KubectlCall | undefined {
  const at = words.findIndex((word) => /(?:^|\/)kubectl$/.test(word));
  if (at < 0) return undefined;
  const operands: string[] = [];
  let namespace: string | undefined;
  let allNamespaces = false;
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "--") break;
    const joined = /^(?:--namespace=|-n=?)(.+)$/.exec(word)?.[1];
    if (joined !== undefined) namespace = joined;
    else if (word === "-n" || word === "--namespace") namespace = words[++i];
    else if (/^(?:-A|--all-namespaces(?:=true)?)$/.test(word)) allNamespaces = true;
    else if (flagsWithValue.has(word)) i++;
    else if (!word.startsWith("-")) operands.push(word);
  }
  const [verb = "", ...rest] = operands;
  const reads = reading.has(verb) || (readingSubcommands[verb]?.includes(rest[0] ?? "") ?? false);
  return { verb, operands: rest, namespace, allNamespaces, reads };
}
