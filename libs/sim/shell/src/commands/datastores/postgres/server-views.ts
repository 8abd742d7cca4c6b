import {
  exclusiveHolder,
  lockModes,
  type PostgresLock,
  type PostgresSession,
  postgresMemory,
  type StoreClient,
} from "@microremed/sim-machine";
import type { PostgresConnection } from "./postgres-client.types.ts";
import type { Relation, Relations } from "./run-select.ts";
import type { Functions } from "./sql-expression.ts";
import { type SqlValue, Timestamp } from "./sql-values.ts";

/** Connections of the system's programs come first: one process each. */
const firstClientPid = 60;
const firstTable = 16_390;

const version = "PostgreSQL 17.6 (Debian 17.6-1.pgdg13+1) on x86_64-pc-linux-gnu, compiled by gcc, 64-bit";

/** What the programs' connections wait for is what their last call waits for. */
const ofProgram = (client: StoreClient, index: number, startedAt: number): PostgresSession => ({
  pid: firstClientPid + index,
  user: client.user,
  database: client.database,
  ip: client.ip,
  application: "",
  state: client.waitsFor === undefined ? "idle" : "active",
  query: client.waitsFor === undefined ? "" : `SELECT * FROM ${client.waitsFor}`,
  startedAt,
  queryAt: startedAt,
  locks:
    client.waitsFor === undefined
      ? []
      : [{ table: client.waitsFor, mode: "ACCESS SHARE" as PostgresLock["mode"], granted: false }],
});

/** Every connection to a server. */
function sessionsOf({ container }: PostgresConnection): readonly PostgresSession[] {
  const programs = (container.storeClients ?? []).map((client, i) =>
    ofProgram(client, i, container.startedAt),
  );
  return [...programs, ...postgresMemory(container).sessions];
}

const relation = <T>(
  columns: Readonly<Record<string, (one: T) => SqlValue>>,
  all: readonly T[],
): Relation => ({
  columns: Object.keys(columns),
  rows: all.map((one) => Object.values(columns).map((read) => read(one))),
});

/** The server's own views, as far as they are simulated. */
export function viewsOf(connection: PostgresConnection): Relations {
  const { state } = connection;
  const { tables, roles, databases } = state;
  const oidOf = (table: string): number => firstTable + tables.indexOf(table);
  const views: Readonly<Record<string, () => Relation>> = {
    pg_roles: () =>
      relation(
        {
          rolname: ({ name }) => name,
          rolsuper: ({ isSuperuser }) => isSuperuser,
          rolcanlogin: ({ canLogIn }) => canLogIn,
          rolpassword: () => "********",
        },
        roles,
      ),
    pg_authid: () =>
      relation(
        {
          rolname: ({ name }) => name,
          rolsuper: ({ isSuperuser }) => isSuperuser,
          rolcanlogin: ({ canLogIn }) => canLogIn,
          rolpassword: ({ verifier }) => (verifier === "" ? null : verifier),
        },
        roles,
      ),
    pg_shadow: () =>
      relation(
        {
          usename: ({ name }) => name,
          usesuper: ({ isSuperuser }) => isSuperuser,
          passwd: ({ verifier }) => (verifier === "" ? null : verifier),
        },
        roles.filter(({ canLogIn }) => canLogIn),
      ),
    pg_database: () => relation({ datname: (name) => name }, databases),
    pg_tables: () =>
      relation(
        {
          schemaname: (table) => table.split(".")[0] ?? "",
          tablename: (table) => table.split(".")[1] ?? "",
        },
        tables,
      ),
    pg_class: () =>
      relation({ oid: oidOf, relname: (table) => table.split(".")[1] ?? "", relkind: () => "r" }, tables),
    pg_settings: () =>
      relation({ name: ([name]) => name, setting: ([, value]) => value }, Object.entries(serverSettings)),
    pg_stat_activity: () =>
      relation(
        {
          pid: ({ pid }) => pid,
          datname: ({ database }) => database,
          usename: ({ user }) => user,
          application_name: ({ application }) => application,
          client_addr: ({ ip }) => ip ?? null,
          backend_start: ({ startedAt }) => new Timestamp(startedAt),
          xact_start: ({ state: is, queryAt }) => (is === "idle" ? null : new Timestamp(queryAt)),
          query_start: ({ queryAt }) => new Timestamp(queryAt),
          state_change: ({ queryAt }) => new Timestamp(queryAt),
          wait_event_type: ({ locks }) => (locks.some(({ granted }) => !granted) ? "Lock" : null),
          wait_event: ({ locks }) => (locks.some(({ granted }) => !granted) ? "relation" : null),
          state: ({ state: is }) => is,
          query: ({ query }) => query,
          backend_type: () => "client backend",
        },
        sessionsOf(connection),
      ),
    pg_locks: () =>
      relation(
        {
          locktype: () => "relation",
          database: () => 16_384,
          relation: ({ lock }) => oidOf(lock.table),
          pid: ({ pid }) => pid,
          mode: ({ lock }) => `${modeName(lock.mode)}Lock`,
          granted: ({ lock }) => lock.granted,
        },
        sessionsOf(connection).flatMap(({ pid, locks }) => locks.map((lock) => ({ pid, lock }))),
      ),
  };
  return (name) => {
    const key = name === "pg_user" ? "pg_shadow" : name;
    return Object.hasOwn(views, key) ? views[key]?.() : undefined;
  };
}

/** `AccessExclusive` of `ACCESS EXCLUSIVE`. */
const modeName = (mode: string): string =>
  mode
    .split(" ")
    .map((word) => `${word[0]}${word.slice(1).toLowerCase()}`)
    .join("");

/** Settings that `SHOW` and `pg_settings` have. */
export const serverSettings: Readonly<Record<string, string>> = {
  data_directory: "/var/lib/postgresql/data",
  deadlock_timeout: "1000",
  idle_in_transaction_session_timeout: "0",
  listen_addresses: "*",
  lock_timeout: "0",
  max_connections: "100",
  password_encryption: "md5",
  port: "5432",
  server_version: "17.6",
  shared_buffers: "16384",
  statement_timeout: "0",
};

/** What a statement may call. */
export function functionsOf(connection: PostgresConnection): Functions {
  const { container, pid: own, state } = connection;
  const blockers = (pid: SqlValue): number[] => {
    const waiting = sessionsOf(connection).find((one) => one.pid === pid);
    return (waiting?.locks ?? [])
      .filter(({ granted }) => !granted)
      .flatMap(({ table }) => exclusiveHolder(postgresMemory(container), table, Number(pid))?.pid ?? []);
  };
  const isThere = (pid: SqlValue): boolean => sessionsOf(connection).some((one) => one.pid === pid);
  const end = (pid: SqlValue): boolean => {
    const memory = postgresMemory(container);
    container.datastore = { ...memory, sessions: memory.sessions.filter((one) => one.pid !== pid) };
    return isThere(pid) || memory.sessions.some((one) => one.pid === pid);
  };
  const cancel = (pid: SqlValue): boolean => {
    const memory = postgresMemory(container);
    const canceled = (one: PostgresSession) =>
      one.pid === pid ? { ...one, isCanceled: one.state === "active" } : one;
    container.datastore = { ...memory, sessions: memory.sessions.map(canceled) };
    return isThere(pid);
  };
  return {
    now: () => new Timestamp(connection.now()),
    clock_timestamp: () => new Timestamp(connection.now()),
    current_timestamp: () => new Timestamp(connection.now()),
    current_user: () => connection.user,
    session_user: () => connection.user,
    user: () => connection.user,
    current_database: () => connection.database,
    version: () => version,
    pg_backend_pid: () => own,
    pg_is_in_recovery: () => false,
    pg_blocking_pids: blockers,
    cardinality: (some) => (Array.isArray(some) ? some.length : null),
    pg_terminate_backend: end,
    pg_cancel_backend: cancel,
    coalesce: (...some) => some.find((one) => one !== null) ?? null,
    left: (text, count) => String(text ?? "").slice(0, Number(count)),
    age: (moment) => (moment instanceof Timestamp ? new Timestamp(connection.now() - moment.at) : null),
    "::regclass": (oid) =>
      typeof oid === "number" ? (state.tables[oid - firstTable]?.replace(/^public\./, "") ?? oid) : oid,
    "::text": (value) => value,
  };
}

/** A mode of LOCK TABLE as a statement names it; the strongest where it names none. */
export function lockMode(text: string | undefined): PostgresLock["mode"] {
  const asked = text?.toUpperCase().replace(/\s+/g, " ") ?? "ACCESS EXCLUSIVE";
  return (
    lockModes.find((mode) => mode === asked) ?? (asked.includes("EXCLUSIVE") ? "EXCLUSIVE" : "ROW EXCLUSIVE")
  );
}
