import {
  exclusiveHolder,
  type PostgresSession,
  postgresMemory,
  runDefinition,
  tableName,
  writePostgres,
} from "@microremed/sim-machine";
import type { PostgresConnection } from "./postgres-client.types.ts";
import { NotSimulated, runSelect, type Selected } from "./run-select.ts";
import { functionsOf, lockMode, serverSettings, viewsOf } from "./server-views.ts";
import { TokenReader, tokensOf } from "./sql-tokens.ts";
import { SqlError } from "./sql-values.ts";

/** Rows, or the tag of a statement without any. */
export type StatementResult = Selected | { readonly tag: string };

/** Sleeps on the cluster's clock. */
export type Sleep = (ms: number) => Promise<void>;

/** The server has ended the session. */
export class Terminated extends Error {}

/** Statements on tables, whose rows are not simulated. */
const onTables = /^(INSERT|UPDATE|DELETE|COPY|TRUNCATE|DROP|ALTER|CREATE|VACUUM|ANALYZE|EXPLAIN|WITH)\b/i;
/** Between two checks whether a lock is free, ms. */
const pollMs = 200;

/** Runs one statement of a connection. Throws `SqlError`, `NotSimulated` or `Terminated`. */
export async function runStatement(
  connection: PostgresConnection,
  sql: string,
  sleep: Sleep,
): Promise<StatementResult> {
  noteQuery(connection, sql, "active");
  const result = await run(connection, sql, sleep);
  noteQuery(connection, sql, connection.inTransaction ? "idle in transaction" : "idle");
  return result;
}

async function run(connection: PostgresConnection, sql: string, sleep: Sleep): Promise<StatementResult> {
  const naps = /^SELECT\s+pg_sleep\(\s*(\d+(?:\.\d+)?)\s*\)$/i.exec(sql);
  if (naps) {
    await rest(connection, 1000 * Number(naps[1]), sleep);
    return { columns: ["pg_sleep"], rows: [[""]] };
  }
  if (/^(BEGIN|START\s+TRANSACTION)\b/i.test(sql)) {
    connection.inTransaction = true;
    return { tag: "BEGIN" };
  }
  const end = /^(COMMIT|END|ROLLBACK|ABORT)\b/i.exec(sql)?.[1];
  if (end !== undefined) return endTransaction(connection, /^(ROLLBACK|ABORT)/i.test(end));
  const lock = /^LOCK\s+(?:TABLE\s+)?(?:ONLY\s+)?([\w."]+)(?:\s+IN\s+([A-Z\s]+?)\s+MODE)?(\s+NOWAIT)?$/i.exec(
    sql,
  );
  if (lock) return await lockTable(connection, lock, sleep);
  const show = /^SHOW\s+(\w+)$/i.exec(sql)?.[1]?.toLowerCase();
  if (show !== undefined) {
    const value = Object.hasOwn(serverSettings, show) ? serverSettings[show] : undefined;
    if (value === undefined) throw new SqlError(`unrecognized configuration parameter "${show}"`);
    return { columns: [show], rows: [[value]] };
  }
  const name = /^SET\s+application_name\s*(?:=|TO)\s*'([^']*)'$/i.exec(sql)?.[1];
  if (name !== undefined) changeSession(connection, () => ({ application: name }));
  if (/^SET\b/i.test(sql)) return { tag: "SET" };
  const defined = runDefinition(connection.state, sql);
  if (defined && "error" in defined) throw new SqlError(defined.error);
  if (defined) return define(connection, defined);
  if (onTables.test(sql)) throw new NotSimulated(sql);
  const tokens = new TokenReader(tokensOf(sql));
  if (!tokens.takes("select")) tokens.fail();
  return runSelect(tokens, viewsOf(connection), functionsOf(connection));
}

function define(
  connection: PostgresConnection,
  { state, tag }: { readonly state: PostgresConnection["state"]; readonly tag: string },
): StatementResult {
  const { user, sandbox, container } = connection;
  const role = connection.state.roles.find(({ name }) => name === user);
  if (!role?.isSuperuser) throw new SqlError("permission denied");
  connection.state = state;
  if (!connection.inTransaction) writePostgres(sandbox, container, state);
  return { tag };
}

function endTransaction(connection: PostgresConnection, isUndone: boolean): StatementResult {
  const { sandbox, container, inTransaction, state } = connection;
  connection.inTransaction = false;
  if (inTransaction && !isUndone) writePostgres(sandbox, container, state);
  changeSession(connection, () => ({ locks: [] }));
  return { tag: isUndone ? "ROLLBACK" : "COMMIT" };
}

async function lockTable(
  connection: PostgresConnection,
  [, given = "", mode, noWait]: readonly (string | undefined)[],
  sleep: Sleep,
): Promise<StatementResult> {
  const table = tableName(given);
  if (!connection.state.tables.includes(table)) throw new SqlError(`relation "${given}" does not exist`);
  if (!connection.inTransaction) throw new SqlError("LOCK TABLE can only be used in transaction blocks");
  const lock = { table, mode: lockMode(mode) };
  const others = ({ locks }: Pick<PostgresSession, "locks">) => locks.filter((one) => one.table !== table);
  const isFree = () =>
    exclusiveHolder(postgresMemory(connection.container), table, connection.pid) === undefined;
  if (!isFree() && noWait !== undefined) throw new SqlError(`could not obtain lock on relation "${given}"`);
  while (!isFree()) {
    changeSession(connection, (session) => ({ locks: [...others(session), { ...lock, granted: false }] }));
    await rest(connection, pollMs, sleep);
  }
  changeSession(connection, (session) => ({ locks: [...others(session), { ...lock, granted: true }] }));
  return { tag: "LOCK TABLE" };
}

/** Lets time pass while the session lives. */
async function rest(connection: PostgresConnection, ms: number, sleep: Sleep): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    await sleep(Math.min(left, 1000));
    const session = sessionOf(connection);
    if (!session) throw new Terminated();
    if (!session.isCanceled) continue;
    changeSession(connection, () => ({ isCanceled: false, locks: [] }));
    throw new SqlError("canceling statement due to user request");
  }
}

const sessionOf = ({ container, pid }: PostgresConnection): PostgresSession | undefined =>
  postgresMemory(container).sessions.find((one) => one.pid === pid);

function noteQuery(connection: PostgresConnection, query: string, state: PostgresSession["state"]): void {
  if (!sessionOf(connection)) throw new Terminated();
  changeSession(connection, (session) =>
    state === "active"
      ? { query, state, queryAt: connection.now() }
      : { state, ...(state === "idle" && { locks: [] }), query: session.query },
  );
}

/** Changes what the server says of a connection. */
function changeSession(
  { container, pid }: PostgresConnection,
  change: (session: PostgresSession) => Partial<PostgresSession>,
): void {
  const memory = postgresMemory(container);
  const sessions = memory.sessions.map((one) => (one.pid === pid ? { ...one, ...change(one) } : one));
  container.datastore = { ...memory, sessions };
}
