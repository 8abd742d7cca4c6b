/** A script of a container, or one program with arguments, for a thread. */
export interface ScriptOrder {
  readonly script: string;
  /** Handed over without parsing: the script is then a program's name. */
  readonly args?: readonly string[] | undefined;
  /** A character a byte. */
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly shell: "sh" | "bash";
  readonly pid: number;
  readonly flavour: "busybox" | "gnu";
  /** Methods of the files that can be asked for. */
  readonly fileMethods: readonly string[];
  /** What an empty path is. */
  readonly nowhere: string;
  /** Programs of just-bash that the image has. */
  readonly programs: readonly string[];
  /** Programs that the cluster runs. */
  readonly own: readonly string[];
  /** Of those that start other programs, the ones that the image has. */
  readonly starters: readonly string[];
}

/** What a script needs of the cluster. `timer`: the number of the `timeout` that it is under. */
export type ScriptQuestion =
  | { readonly file: string; readonly args: readonly unknown[] }
  | OwnCommand
  | { readonly leave: string; readonly cwd: string; readonly env: Readonly<Record<string, string>> }
  | { readonly sleepMs: number }
  /** Answered when its time has come, or it is taken back. */
  | { readonly timer: number; readonly ms: number; readonly within: number | undefined }
  | { readonly timerOver: number };

/** A program that the cluster runs. */
export interface OwnCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A character a byte. */
  readonly stdin: string;
  readonly timer: number | undefined;
}

/** How a program ended; `stdout` has a character a byte. */
export interface OwnResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** How a script ended. */
export interface ScriptEnd {
  readonly stdout: string;
  readonly isBinary: boolean;
  readonly stderr: string;
  readonly exitCode: number;
  readonly cwd: string | undefined;
}
