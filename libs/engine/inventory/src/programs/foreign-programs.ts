import { digestOfValue } from "../digest.ts";
import type { Process, Variables } from "./processes.ts";

/** What a process runs. */
export interface Running {
  /** Path of its executable; empty: it could not be read. */
  readonly executable: string;
  /** At most 4,096 characters. */
  readonly command: string;
}

/** A process that its container's first program is not known to have started, and what it runs. */
export interface Program extends Process, Running {}

/** The first program of a container, those that came from outside and stayed, and those that are stopped: 50 of each at most. */
export interface Programs {
  readonly first: Running;
  readonly left: readonly Program[];
  readonly stopped: readonly Running[];
  /** What the first program started with; empty: it cannot be read. */
  readonly variables: Variables;
}

/** Of a command in a finding or a note; the rest goes into a digest. */
const shownCommand = 200;
/** Ends each program. */
const separator = "\u001e\n";

/** Reads what `commandsScript` prints; one for each pid. */
export function parseCommands(output: string): Running[] {
  return output
    .trimStart()
    .split(separator)
    .slice(0, -1)
    .map((text) => {
      const [executable = "", ...command] = text.split("\n");
      const words = command.join(" ").replace(/[\0\s]+/g, " ");
      return { executable, command: words.trim() };
    });
}

/** Programs that run whatever code they are given: that a process runs one of them says nothing about it. */
const runsAnything =
  /^((ba|da|a|z|k)?sh|busybox|toybox|env|nc|ncat|socat|curl|wget|java|node|deno|bun|dotnet|beam\.smp|(python|perl|ruby|php|lua|[gm]?awk|tclsh)[\d.]*)$/;

/**
 * Programs that no template starts. `known`: commands that were there before the remedies, as `commandOf` writes them;
 * programs of an image may make sessions of their own.
 */
export function foreignPrograms({ first, left }: Programs, known: readonly string[]): Program[] {
  const byPid = new Map(left.map((one) => [one.pid, one]));
  const isOfImage = (one: Program): boolean => known.includes(commandOf(one)) || isLikeFirst(one, first);
  return left.filter((one) => !ancestry(one, byPid).some(isOfImage));
}

/** A command as it is found again: numbers in it, such as ports and process ids, may differ. */
export function commandOf({ command }: Running): string {
  const text = command.replace(/\d+/g, "#");
  return text.length <= shownCommand ? text : `${text.slice(0, shownCommand)} ${digestOfValue(text)}`;
}

/** A command as a finding shows it. */
export const shown = ({ command }: Running): string => command.slice(0, shownCommand);

/** The first program's own processes in sessions of their own, such as a database's for each connection. */
function isLikeFirst(one: Program, first: Running): boolean {
  if (one.parent !== 1 || one.executable === "" || one.executable !== first.executable) return false;
  const name = one.executable.split("/").at(-1) ?? "";
  return !runsAnything.test(name) || one.command === first.command;
}

/** A process and those that it comes from; bounded, because numbers are given again. */
function ancestry(one: Program, byPid: ReadonlyMap<number, Program>): Program[] {
  const chain = [one];
  for (
    let parent = byPid.get(one.parent);
    parent && !chain.includes(parent);
    parent = byPid.get(parent.parent)
  )
    chain.push(parent);
  return chain;
}
