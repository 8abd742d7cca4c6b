import type { ErrorCode } from "@microremed/contracts";
import type { Gym, GymOptions } from "../create-gym.ts";

/** What may run playbooks: the interpreter of the process, or ansible-playbook in the sandbox. */
export const playbooksNames = ["interpreted", "ansible"] as const;
/** One of `playbooksNames`. */
export type PlaybooksName = (typeof playbooksNames)[number];

/** What a thread with a gym gets at its beginning. */
export interface WorkerOrder
  extends Pick<
    GymOptions,
    | "environment"
    | "suite"
    | "variants"
    | "soakSeconds"
    | "playbookSeconds"
    | "starts"
    | "systems"
    | "shaping"
  > {
  /** What runs playbooks; default: the interpreter. */
  readonly playbooks?: PlaybooksName;
  /** Folders of entries beside the built-in ones. */
  readonly catalogues: readonly string[];
}

/** What a thread can be asked: the functions of a gym, but for their signal. */
export type Method = Exclude<keyof Gym, "counts" | symbol>;

/** One call of a gym in a thread, or the end of one that is no longer waited for. */
export type WorkerCall =
  | { readonly id: number; readonly method: Method; readonly given: readonly unknown[] }
  | { readonly id: number; readonly abort: true };

/** What a thread says of a call. */
export type WorkerAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } }
);
