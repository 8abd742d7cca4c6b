import { readKubectlLine } from "./kubectl-line.ts";
import { canWrite, writes } from "./probe-writes.ts";
import { asWritten, filled, hiddenIn, type ShellCommand, shellCommands } from "./shell-commands.ts";
import { isWrapper, wrappedProgram } from "./wrapped-program.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const filters = words(
  "[ awk base64 basename bash break cat column comm continue cut date diff dirname echo egrep exit expr false fgrep grep head jq nl paste printf read rev sed seq sh sleep sort tac tail test timeout tr true uniq wait wc xargs",
);
const inContainers = words(
  "cat curl dd df dig du env free getent hostname id ifconfig ip kafka-consumer-groups.sh ls mongo mongosh mount mysql mysqladmin nc netstat nproc nslookup ping printenv ps psql readlink redis-cli ss stat tc top uname uptime valkey-cli wget whoami",
);
const readingVerbs = words(
  "api-resources api-versions auth cluster-info config describe events exec explain get logs rollout top version wait",
);
/** Why a command in a container gets no input. */
export const noInput =
  'Probes only read: a command in a container gets no input. Leave "-i" and "-t" of "kubectl exec" out.';
/** Variables before a command, or in `env`, with which no program does more than read. Others name files to read commands from. */
const harmless = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|MYSQL_PWD|REDISCLI_AUTH|PGPASSWORD)=/;
/** Verbs that read with some of their own subcommands only. */
const readingSubcommands: Readonly<Record<string, ReadonlySet<string>>> = {
  auth: words("can-i whoami"),
  config: words("current-context get-clusters get-contexts view"),
  rollout: words("history status"),
};

/**
 * Why a probe command is refused, or undefined. A help for the method, which learns at once what a probe may do. What keeps a
 * probe from changing anything is that each of its requests is checked again where it goes out (`reviewReading`).
 */
export async function checkProbe(command: string): Promise<string | undefined> {
  if (command.trim() === "") return "The command is empty.";
  const refusal = await checkScript(command, false);
  return refusal === undefined ? undefined : asWritten(refusal);
}

/**
 * Why a program may not be started in a container by who may only read; undefined: it may. `argv` is what would be started,
 * so that nothing in it is filled in later but by a shell of the container.
 */
export async function checkInContainer(argv: readonly string[]): Promise<string | undefined> {
  if (argv.length === 0) return "There is no command.";
  if (argv.some(isFilled)) return "Probes only read: the command has characters that no program needs.";
  const refusal = await checkProgram(argv, true);
  return refusal === undefined ? undefined : asWritten(refusal);
}

async function checkScript(script: string, inContainer: boolean): Promise<string | undefined> {
  const commands = await shellCommands(script, { marks: true });
  if (!commands)
    return "The command could not be read: it is not a shell script. Check its quotes and parentheses.";
  const hidden = inContainer ? await hiddenIn(script) : undefined;
  if (hidden !== undefined) return `Probes only read: of the script in a container ${hidden}.`;
  for (const command of commands) {
    const refusal = await checkCommand(command, inContainer);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

async function checkCommand(
  { words: all, writesTo }: ShellCommand,
  inContainer: boolean,
): Promise<string | undefined> {
  const file = writesTo.find((target) => target !== "/dev/null" && !/^&[\d-]$/.test(target));
  if (inContainer && file !== undefined) return `Probes only read: writing to ${file} is not allowed.`;
  const start = all.findIndex((word) => !/^\w+=/.test(word));
  if (start < 0) return undefined;
  const steering = inContainer ? all.slice(0, start).find((word) => !harmless.test(word)) : undefined;
  if (steering !== undefined) return steered(steering);
  return checkProgram(all.slice(start), inContainer);
}

const steered = (assignment: string): string =>
  `Probes only read: in a container a command may not be given ${assignment.split("=")[0]}.`;

async function checkProgram(
  [path = "", ...args]: readonly string[],
  inContainer: boolean,
): Promise<string | undefined> {
  const program = programName(path);
  if (program === "kubectl" && !inContainer) return checkFilledKubectl(args) ?? checkKubectl(args);
  if (program === "busybox") return checkProgram(args, inContainer);
  if (!filters.has(program) && !(inContainer && inContainers.has(program))) {
    const where = inContainer ? "in a container" : "outside of a container";
    return `Probes only read: "${program}" is not among the programs allowed ${where}.`;
  }
  if (program === "sh" || program === "bash") return checkShell(args, inContainer);
  if (isWrapper(program)) return checkWrapped(program, args, inContainer);
  return checkFilled(program, args, inContainer) ?? checkWriting(program, args, inContainer);
}

const isFilled = (word: string): boolean => word.includes(filled.within) || word.includes(filled.split);
const mayBeOption = (word: string): boolean => word.startsWith(filled.within) || word.includes(filled.split);

/** Their arguments are programs: text that a shell puts in can be a part of one. */
const takesProgram = words("awk sed");

/** What a shell puts in can be an option that writes: it must be written out where there are such options. */
function checkFilled(program: string, args: readonly string[], inContainer: boolean): string | undefined {
  if (!canWrite(program, inContainer)) return undefined;
  const unseen = args.find(takesProgram.has(program) ? isFilled : mayBeOption);
  return unseen === undefined ? undefined : unseenText(unseen, `an argument of "${program}"`);
}

const unseenText = (word: string, what: string): string =>
  `Probes only read: what ${asWritten(word)} is cannot be seen; write ${what} out.`;

/** Before its verb, and before the command of exec, text that becomes several words can be another verb or command. */
function checkFilledKubectl(args: readonly string[]): string | undefined {
  const { verb, operands, command } = readKubectlLine(args);
  const end = command === undefined ? args.length : args.indexOf("--");
  const before = args.slice(0, verb === "exec" ? end : args.indexOf(verb));
  const split = before.find((word) => word.includes(filled.split));
  if (split !== undefined)
    return `Probes only read: ${asWritten(split)} may become several words; put it in double quotes.`;
  if (verb === "exec" && operands.length !== 1) return 'Write "kubectl exec POD -- COMMAND".';
  return undefined;
}

const programName = (path: string): string =>
  path.replace(/^\/(?:usr\/|opt\/kafka\/)?(?:local\/)?s?bin\//, "");

function checkWriting(program: string, args: readonly string[], inContainer: boolean): string | undefined {
  return writes(program, args, inContainer)
    ? `Probes only read: "${program} ${args.join(" ")}" would write.`
    : undefined;
}

async function checkShell(args: readonly string[], inContainer: boolean): Promise<string | undefined> {
  // Other options let it read commands from elsewhere: -s, -i, --rcfile.
  const at = args.findIndex((arg) => !/^-[eux]+$/.test(arg));
  const script = args[at + 1];
  if (!/^-[eux]*c$/.test(args[at] ?? "") || script === undefined)
    return 'A shell in a probe needs -c and a script, and of other options only -e, -u and -x: sh -c "SCRIPT".';
  const unseen = args.slice(0, at + 2).find(isFilled);
  if (unseen !== undefined) return unseenText(unseen, "the script");
  return checkScript(script, inContainer);
}

async function checkWrapped(
  program: Parameters<typeof wrappedProgram>[0],
  args: readonly string[],
  inContainer: boolean,
): Promise<string | undefined> {
  const started = wrappedProgram(program, args);
  if (started === undefined) return `Probes only read: what "${program}" starts cannot be seen.`;
  const unseen = args.slice(0, args.length - started.length).find(mayBeOption);
  if (unseen !== undefined) return unseenText(unseen, `an argument of "${program}"`);
  const before = program === "env" && inContainer ? args.slice(0, args.length - started.length) : [];
  const steering = before.find((word) => /^[^-][^=]*=/.test(word) && !harmless.test(word));
  if (steering !== undefined) return steered(steering);
  const given = program === "xargs" ? checkGiven(started, inContainer) : undefined;
  if (given !== undefined || started.length === 0) return given;
  return checkProgram(started, inContainer);
}

/** What `xargs` reads can be any word: it must not make a program of it, or an option of one in a container. */
function checkGiven([program = "", ...args]: readonly string[], inContainer: boolean): string | undefined {
  const name = programName(program);
  if (inContainer) return "Probes only read: xargs is not allowed in a container.";
  if (isWrapper(name) || ["sh", "bash", "busybox"].includes(name))
    return `Probes only read: xargs may not start "${name}".`;
  if (name !== "kubectl" || !["", "exec"].includes(readKubectlLine(args).verb)) return undefined;
  return 'Probes only read: xargs may start kubectl with another verb than "exec"; for that write a loop.';
}

async function checkKubectl(args: readonly string[]): Promise<string | undefined> {
  const { verb, operands, command, flags } = readKubectlLine(args);
  const [subcommand] = operands;
  if (verb === "") return undefined;
  const allowed = readingSubcommands[verb];
  if (!readingVerbs.has(verb)) return `Probes only read: "kubectl ${verb}" is not allowed.`;
  if (allowed && !allowed.has(subcommand ?? "")) {
    return `Probes only read: of "kubectl ${verb}" only ${[...allowed].join(", ")} are allowed.`;
  }
  if (verb !== "exec") return undefined;
  if (flags.some(({ name, value }) => (name === "stdin" || name === "tty") && value !== "false"))
    return noInput;
  if (command === undefined) return 'Write "kubectl exec POD -- COMMAND".';
  return checkProgram(command, true);
}
