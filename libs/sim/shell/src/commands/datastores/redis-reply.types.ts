import type { RedisState } from "@microremed/sim-machine";

/** What Redis answers. */
export type RedisReply =
  | { readonly type: "status" | "error" | "bulk"; readonly text: string }
  | { readonly type: "integer"; readonly value: number }
  | { readonly type: "nil" }
  | { readonly type: "list"; readonly items: readonly RedisReply[] };

/** One connection: what the server holds, and whether the client has shown who it is. */
export interface RedisSession {
  state: RedisState;
  user: string | undefined;
  readonly clients: readonly { readonly ip: string }[];
  readonly uptimeSeconds: number;
  readonly now: number;
  readonly random: () => number;
  /** Whether the server could not write to its append-only file. */
  isStuck(): boolean;
  /** Why the server takes no writes, in its words; undefined: it takes them. */
  writeError(): string | undefined;
  /** A command that has changed the data set is written to the append-only file, if there is one. */
  append(words: readonly string[]): void;
  /** The data set is written to its file. */
  save(): void;
}

export const ok: RedisReply = { type: "status", text: "OK" };
export const bulk = (text: string): RedisReply => ({ type: "bulk", text });
export const integer = (value: number): RedisReply => ({ type: "integer", value });
export const failure = (text: string): RedisReply => ({ type: "error", text });
export const list = (texts: readonly string[]): RedisReply => ({ type: "list", items: texts.map(bulk) });
export const nil: RedisReply = { type: "nil" };
