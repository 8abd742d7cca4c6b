/** A script for a shell's thread. */
export interface ShellOrder {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Time of its cluster, ms since 1970. */
  readonly now: number;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What a script needs of the process that has the cluster. */
export type ShellQuestion =
  | { readonly kubectl: readonly string[]; readonly stdin: string }
  | { readonly sleepMs: number };

export type ToShell =
  | ShellOrder
  | { readonly id: number; readonly answer: Printed; readonly now: number }
  | { readonly id: number; readonly error: string }
  /** The script is to end. */
  | { readonly stop: true };

export type FromShell =
  | { readonly id: number; readonly question: ShellQuestion }
  | { readonly end: Printed }
  /** The shell itself failed. */
  | { readonly failed: string };
