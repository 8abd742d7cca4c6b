import type { MysqlAccount, MysqlError, MysqlServer, MysqlState } from "@microremed/sim-machine";

/** A connection that has logged in. */
export interface SqlSession {
  readonly server: MysqlServer;
  readonly account: MysqlAccount;
  /** As it gave its name, and where it comes from. */
  readonly user: string;
  readonly host: string;
  readonly now: number;
  database: string;
  /** The state with what the session has changed so far. */
  state: MysqlState;
  /** `SET GLOBAL` so far. */
  readonly variables: Map<string, string>;
}

/** What a statement came to. */
export type SqlResult =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly affected: number }
  | { readonly error: MysqlError }
  /** The embedded cluster has no tables and no rows. */
  | { readonly notSimulated: true };

/** A statement of a known form. */
export interface SqlForm {
  readonly pattern: RegExp;
  run(session: SqlSession, match: RegExpExecArray): SqlResult;
}

export const done: SqlResult = { affected: 0 };
export const failed = (code: number, state: string, message: string): SqlResult => ({
  error: { code, state, message },
});
