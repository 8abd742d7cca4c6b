import { childrenOf, fileAt, locate } from "./layers.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";
import { packState, unpackState } from "./packed-state.ts";
import { freshPostgres, type PostgresState } from "./postgres-state.ts";

const scriptFolder = "/docker-entrypoint-initdb.d";

/** Where roles are on disk: pg_authid has this number in every cluster of databases. */
const placeOf = (sandbox: PodSandbox, container: ContainerRuntime) =>
  locate(sandbox, container, `${container.env["PGDATA"] ?? "/var/lib/postgresql/data"}/global/1260`);

/** The server in a container. Its data directory is made if it is empty. */
export function postgresState(sandbox: PodSandbox, container: ContainerRuntime): PostgresState {
  const bytes = fileAt(placeOf(sandbox, container));
  const known = bytes && unpackState<PostgresState>(bytes);
  if (known) return known;
  const made = freshPostgres(container.env, scriptsOf(sandbox, container));
  writePostgres(sandbox, container, made);
  return made;
}

/** Writes what a statement made of the state. */
export function writePostgres(sandbox: PodSandbox, container: ContainerRuntime, state: PostgresState): void {
  const { tree, key } = placeOf(sandbox, container);
  tree.set(key, packState(state));
}

/** What changes whenever a server's data does. */
export const postgresMark = (sandbox: PodSandbox, container: ContainerRuntime): Uint8Array | undefined =>
  fileAt(placeOf(sandbox, container));

/** What the scripts that the image's entry point runs say to the server, in the order of their names. */
function scriptsOf(sandbox: PodSandbox, container: ContainerRuntime): string[] {
  const names = childrenOf(locate(sandbox, container, scriptFolder)).toSorted();
  return names.flatMap((name) => {
    const content = fileAt(locate(sandbox, container, `${scriptFolder}/${name}`));
    if (!content) return [];
    const text = Buffer.from(content).toString();
    if (name.endsWith(".sql")) return [text];
    return name.endsWith(".sh") ? statementsOfScript(text, container.env) : [];
  });
}

/** What a shell script sends to `psql <<-EOSQL`, as the image's documentation has it, with its variables filled in. */
const statementsOfScript = (script: string, env: Readonly<Record<string, string>>): string[] =>
  [...script.matchAll(/<<-?\s*"?(\w+)"?\n(.*?)\n\s*\1\s*$/gms)].map(([, , sql = ""]) =>
    sql.replace(/\$\{(\w+)\}|\$(\w+)/g, (_, braced, plain) => env[braced ?? plain] ?? ""),
  );

/** Modes of LOCK TABLE. Of these only the first lets reads go on. */
export const lockModes = ["ROW EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE"] as const;

/** A lock on a table that a session has, or waits for. */
export interface PostgresLock {
  readonly table: string;
  readonly mode: (typeof lockModes)[number];
  readonly granted: boolean;
}

/** A connection of a client that is none of the system's programs. */
export interface PostgresSession {
  readonly pid: number;
  readonly user: string;
  readonly database: string;
  /** Of the client's pod; undefined: it came by the server's socket. */
  readonly ip: string | undefined;
  readonly application: string;
  readonly state: "active" | "idle in transaction" | "idle";
  readonly query: string;
  /** Cluster time, ms. */
  readonly startedAt: number;
  readonly queryAt: number;
  readonly locks: readonly PostgresLock[];
  /** Its statement is to end with an error. */
  readonly isCanceled?: boolean;
}

/** What a running PostgreSQL holds in memory: lost when it ends. */
export interface PostgresMemory {
  readonly type: "postgresql";
  readonly sessions: readonly PostgresSession[];
  /** Of the next session. */
  readonly nextPid: number;
}

/** The first process of a session: those before it are the server's own and its programs' connections. */
const firstPid = 400;

/** The sessions of the server in a container. */
export const postgresMemory = ({ datastore }: Pick<ContainerRuntime, "datastore">): PostgresMemory =>
  datastore?.type === "postgresql" ? datastore : { type: "postgresql", sessions: [], nextPid: firstPid };

/** The session that keeps others from a table, whatever they ask of it; undefined: none does. */
export const exclusiveHolder = (
  { sessions }: PostgresMemory,
  table: string,
  but?: number,
): PostgresSession | undefined =>
  sessions.find(
    ({ pid, locks }) =>
      pid !== but &&
      locks.some((lock) => lock.granted && lock.table === table && lock.mode === "ACCESS EXCLUSIVE"),
  );
