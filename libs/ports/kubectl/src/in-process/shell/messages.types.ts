/** A script for a shell's thread. */
export interface ShellOrder {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
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
