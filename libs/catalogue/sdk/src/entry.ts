/** The kinds of entries that a catalogue has; a kind's folder has its plural. */
export type EntryKind =
  | "fault"
  | "noise"
  | "oracle"
  | "tool"
  | "task"
  | "agent"
  | "environment"
  | "policy"
  | "suite";

/** What every entry has: `define<Kind>` marks it, so that a file in the wrong folder is noticed. */
export interface Entry<K extends EntryKind> {
  readonly entry: K;
  /** The name of its folder; a tool may write `_` and an agent capitals where the folder has dashes or none. */
  readonly name: string;
}

/** An entry as its author writes it. */
export type Unmarked<E> = Omit<E, "entry">;
