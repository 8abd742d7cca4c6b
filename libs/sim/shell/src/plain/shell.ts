import type { ScriptNode } from "just-bash";
import type { Place } from "../container/command.types.ts";
import type { Soon } from "./in-turn.ts";
import type { leavings } from "./shell-words.ts";

/** What a plain script runs in; a command substitution runs in a copy. */
export interface PlainShell {
  /** Those that the script has set. */
  readonly variables: Map<string, string>;
  readonly functions: Map<string, Step>;
  /** Those of `variables` that the program under way is given: `NAME=value program`. */
  given: readonly string[];
  /** Arguments of the function that runs. */
  args: readonly string[];
  /** How many functions run inside of each other. */
  depth: number;
  /** `$?` */
  code: number;
  leaving: (typeof leavings)[number] | undefined;
  /** Exit code of the last command substitution of an assignment. */
  substituted: number;
  write: Write;
  readonly programs: Programs;
}

/** Where stdout and stderr go. A character is a byte. */
export interface Write {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Where `/dev/null` goes. */
export const ignored = (): void => {};

/** How a plain script runs what is not part of it. */
export interface Programs {
  /** Runs a program of the image, or one that the whole shell has. */
  run(shell: PlainShell, name: string, args: readonly string[]): Promise<ProgramResult>;
  /** What a short script of the whole shell prints: for what is too intricate here. It knows the variables. */
  ask(script: string, shell: PlainShell): Promise<string>;
  /** Runs text in the whole shell, which knows the variables and keeps none of its own. */
  whole(script: string, shell: PlainShell): Promise<ProgramResult>;
  /** Throws when the script has run too many commands, or is to end. */
  count(): void;
  has(name: string): boolean;
  /** A variable that the script was started with; empty: there is none. */
  inherited(name: string): string;
  readonly files: Place["files"];
  /** Calls on files may wait or fail, as chance has it. */
  readonly meetsFaults: boolean;
  readonly cwd: string;
}

export interface ProgramResult {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Of a program that printed this, and succeeded. */
export const printed = (out: string): ProgramResult => ({ out, err: "", code: 0 });

/** The value of a variable; empty: it is not set. */
export const variableOf = ({ variables, programs }: PlainShell, name: string): string =>
  variables.get(name) ?? programs.inherited(name);

/** Sets `code`, and `leaving` where the commands after it don't run. */
export type Step = (shell: PlainShell) => Soon<void>;

export type Statement = ScriptNode["statements"][number];

/** Thrown where a script has something that only the whole shell knows. */
export class NotPlain extends Error {}
