import { writes } from "./probe-writes.ts";
import { type ShellCommand, shellCommands } from "./shell-commands.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const keywords = words("for in do done while until if then elif else fi ! { } time");
const filters = words(
  "[ awk base64 basename bash break cat column comm continue cut date diff dirname echo egrep exit expr false fgrep grep head jq nl paste printf read rev sed seq sh sleep sort tac tail test timeout tr true uniq wait wc xargs",
);
const inContainers = words(
  "cat curl dd df dig du env free getent hostname id ifconfig ip ls mount nc netstat nproc nslookup ping printenv ps readlink ss stat tc top uname uptime wget whoami",
);
const readingVerbs = words(
  "api-resources api-versions auth cluster-info config describe events exec explain get logs rollout top version wait",
);
/** Verbs that read with some of their own subcommands only. */
const readingSubcommands: Readonly<Record<string, ReadonlySet<string>>> = {
  auth: words("can-i whoami"),
  config: words("current-context get-clusters get-contexts view"),
  rollout: words("history status"),
};
const flagsWithValue = words(
  "-n --namespace --context --cluster --user --kubeconfig -s --server --token --request-timeout --cache-dir -c --container -l --selector -o --output --as",
);

/**
 * Why a probe command is refused, or undefined. A help for the method, which learns at once what a probe may do:
 * what keeps a probe from changing anything is that its credentials cannot.
 */
export function checkProbe(command: string): string | undefined {
  if (command.trim() === "") return "The command is empty.";
  return checkScript(command, false);
}

function checkScript(script: string, inContainer: boolean): string | undefined {
  const commands = shellCommands(script);
  if (!commands) return "The command could not be read: quotes or parentheses do not balance.";
  for (const command of commands) {
    const refusal = checkCommand(command, inContainer);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkCommand({ words: all, writesTo }: ShellCommand, inContainer: boolean): string | undefined {
  const file = writesTo.find((target) => target !== "/dev/null" && !/^&[\d-]$/.test(target));
  if (inContainer && file !== undefined) return `Probes only read: writing to ${file} is not allowed.`;
  if (all[0] === "for") return undefined;
  const start = all.findIndex((word) => !keywords.has(word) && !/^\w+=/.test(word));
  if (start < 0) return undefined;
  return checkProgram(all.slice(start), inContainer);
}

function checkProgram([path = "", ...args]: readonly string[], inContainer: boolean): string | undefined {
  const program = path.replace(/^\/(?:usr\/)?(?:local\/)?s?bin\//, "");
  if (program === "kubectl" && !inContainer) return checkKubectl(args);
  if (program === "busybox") return checkProgram(args, inContainer);
  if (!filters.has(program) && !(inContainer && inContainers.has(program))) {
    const where = inContainer ? "in a container" : "outside of a container";
    return `Probes only read: "${program}" is not among the programs allowed ${where}.`;
  }
  if (program === "sh" || program === "bash") return checkShell(args, inContainer);
  if (program === "xargs" || program === "timeout" || program === "env")
    return checkWrapped(args, inContainer);
  return checkWriting(program, args, inContainer);
}

function checkWriting(program: string, args: readonly string[], inContainer: boolean): string | undefined {
  return writes(program, args, inContainer)
    ? `Probes only read: "${program} ${args.join(" ")}" would write.`
    : undefined;
}

function checkShell(args: readonly string[], inContainer: boolean): string | undefined {
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  const script = args[at + 1];
  if (at < 0 || script === undefined) return "A shell in a probe needs -c and a script.";
  return checkScript(script, inContainer);
}

function checkWrapped(args: readonly string[], inContainer: boolean): string | undefined {
  const at = args.findIndex((arg) => filters.has(arg) || inContainers.has(arg) || /(^|\/)kubectl$/.test(arg));
  if (at >= 0) return checkProgram(args.slice(at), inContainer);
  const program = args.find((arg) => /^[a-z]/.test(arg));
  return program === undefined ? undefined : checkProgram([program], inContainer);
}

function checkKubectl(args: readonly string[]): string | undefined {
  const operands = operandsOf(args);
  const [verb, subcommand] = operands;
  if (verb === undefined) return undefined;
  const allowed = readingSubcommands[verb];
  if (!readingVerbs.has(verb)) return `Probes only read: "kubectl ${verb}" is not allowed.`;
  if (allowed && !allowed.has(subcommand ?? "")) {
    return `Probes only read: of "kubectl ${verb}" only ${[...allowed].join(", ")} are allowed.`;
  }
  if (verb !== "exec") return undefined;
  const dashes = args.indexOf("--");
  if (dashes < 0) return 'Write "kubectl exec POD -- COMMAND".';
  return checkProgram(args.slice(dashes + 1), true);
}

function operandsOf(args: readonly string[]): string[] {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") break;
    if (flagsWithValue.has(arg)) at++;
    else if (!arg.startsWith("-")) operands.push(arg);
  }
  return operands;
}
