import {
  type Attempted,
  type PostgresLogin,
  postgresLoginError,
  postgresMemory,
  postgresState,
  statementsIn,
} from "@microremed/sim-machine";
import type { Command, CommandContext } from "../../../container/command.types.ts";
import { parseOptions } from "../../../container/options.ts";
import type { PostgresConnection } from "./postgres-client.types.ts";
import { psqlTable, type TableForm } from "./psql-table.ts";
import { NotSimulated } from "./run-select.ts";
import { runStatement, Terminated } from "./run-statement.ts";
import { SqlError } from "./sql-values.ts";

interface Asked extends PostgresLogin {
  /** Undefined: the server's socket in the same container. */
  readonly host: string | undefined;
  readonly port: number;
  /** Each is sent by itself. */
  readonly texts: readonly string[];
  readonly form: TableForm;
  readonly stopsAtErrors: boolean;
  readonly isQuiet: boolean;
}

const flags = [
  "t",
  "A",
  "q",
  "X",
  "x",
  "w",
  "W",
  "a",
  "1",
  "tuples-only",
  "no-align",
  "quiet",
  "no-psqlrc",
  "expanded",
  "no-password",
];
const valued = [
  "h",
  "p",
  "U",
  "d",
  "c",
  "f",
  "v",
  "F",
  "P",
  "host",
  "port",
  "username",
  "dbname",
  "command",
  "field-separator",
  "set",
  "variable",
];

/** `postgres://user:password@host:port/database` as the database's name. */
const url = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^:/?]*)(?::(\d+))?(?:\/([^?]*))?/;

async function readOptions(context: CommandContext): Promise<Asked> {
  const { args, variable } = context;
  const { values, pairs, rest, flags: given } = parseOptions(args, flags, valued);
  const option = (short: string, long: string): string | undefined => values.get(short) ?? values.get(long);
  const named = option("d", "dbname") ?? rest[0] ?? variable("PGDATABASE");
  const [, urlUser, urlPassword, urlHost, urlPort, urlDatabase] = url.exec(named ?? "") ?? [];
  const user = urlUser ?? option("U", "username") ?? rest[1] ?? variable("PGUSER") ?? "root";
  const has = (short: string, long: string): boolean => given.has(short) || given.has(long);
  const commands = pairs.flatMap(([name, value]) => (name === "c" || name === "command" ? [value] : []));
  const file = values.get("f");
  const texts =
    commands.length > 0 ? commands : file !== undefined ? [await context.files.readFile(file)] : [];
  const sets = pairs.filter(([name]) => name === "v" || name === "set").map(([, value]) => value);
  return {
    host: urlHost || (option("h", "host") ?? variable("PGHOST")),
    port: Number(urlPort ?? option("p", "port") ?? variable("PGPORT") ?? 5432),
    user,
    password: urlPassword ?? variable("PGPASSWORD") ?? "",
    database: urlDatabase ?? (named !== undefined && !url.test(named) ? named : user),
    texts: texts.length > 0 ? texts : [Buffer.from(await context.stdin()).toString()],
    form: {
      isBare: has("t", "tuples-only"),
      isUnaligned: has("A", "no-align"),
      separator: option("F", "field-separator") ?? "|",
      isExpanded: has("x", "expanded"),
    },
    stopsAtErrors: sets.some((one) => /^ON_ERROR_STOP=(1|on)$/i.test(one)),
    isQuiet: has("q", "quiet"),
  };
}

/** The image's pg_hba.conf trusts the socket and the loopback address, and asks others for a password. */
const isTrusted = (host: string | undefined): boolean =>
  host === undefined || host.startsWith("/") || host === "localhost" || host === "127.0.0.1";

const reason = ({ error }: Attempted): string =>
  /time/i.test(error) ? "Connection timed out" : "Connection refused";

/** Connects; says why it cannot, as the client does, and returns undefined. */
async function connect(context: CommandContext, asked: Asked): Promise<PostgresConnection | undefined> {
  const { deps, sandbox, signal } = context;
  const { host, port, user, database } = asked;
  const isSocket = host === undefined || host.startsWith("/");
  const attempted = deps.network.tcpConnect(sandbox, isSocket ? "127.0.0.1" : host, port, 10_000);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  const where = isSocket
    ? `on socket "/var/run/postgresql/.s.PGSQL.${port}"`
    : `at "${host}" (${attempted.by?.sandbox.ip ?? host}), port ${port}`;
  const fail = (why: string): undefined => {
    context.err(`psql: error: connection to server ${where} failed: ${why}\n`);
    return undefined;
  };
  if (!attempted.ok && /no such host/.test(attempted.error)) {
    context.err(
      `psql: error: could not translate host name "${host}" to address: Name or service not known\n`,
    );
    return undefined;
  }
  if (!attempted.ok)
    return fail(
      isSocket
        ? "No such file or directory"
        : `${reason(attempted)}\n\tIs the server running on that host and accepting TCP/IP connections?`,
    );
  const server = attempted.by ?? { sandbox, container: context.container };
  const state = postgresState(server.sandbox, server.container);
  const refused = isTrusted(host) ? trustedError(state, asked) : postgresLoginError(state, asked);
  if (refused !== undefined) return fail(refused);
  const memory = postgresMemory(server.container);
  const { nextPid: pid } = memory;
  const now = deps.loop.now();
  const session = {
    ...{ pid, user, database, ip: isSocket ? undefined : sandbox.ip, application: "psql" },
    ...{ state: "idle" as const, query: "", startedAt: now, queryAt: now, locks: [] },
  };
  server.container.datastore = { ...memory, sessions: [...memory.sessions, session], nextPid: pid + 1 };
  return { ...server, pid, user, database, state, inTransaction: false, now: () => deps.loop.now() };
}

function trustedError(
  { roles, databases }: PostgresConnection["state"],
  { user, database }: PostgresLogin,
): string | undefined {
  if (!roles.some(({ name }) => name === user)) return `FATAL:  role "${user}" does not exist`;
  return databases.includes(database) ? undefined : `FATAL:  database "${database}" does not exist`;
}

/** What the client itself knows by a backslash. */
const meta: Readonly<Record<string, string>> = {
  "\\du": "SELECT rolname, rolsuper, rolcanlogin FROM pg_roles ORDER BY rolname",
  "\\l": "SELECT datname FROM pg_database ORDER BY datname",
  "\\dt": "SELECT schemaname, tablename FROM pg_tables ORDER BY schemaname, tablename",
};

/** `psql -c`, or with statements on stdin. */
export const psql: Command = async (context) => {
  const asked = await readOptions(context);
  const connection = await connect(context, asked);
  if (!connection) return 2;
  let code = 0;
  try {
    for (const text of asked.texts) {
      code = await send(context, connection, asked, text);
      if (code === 2 || (code !== 0 && asked.stopsAtErrors)) break;
    }
  } finally {
    const memory = postgresMemory(connection.container);
    const sessions = memory.sessions.filter(({ pid }) => pid !== connection.pid);
    connection.container.datastore = { ...memory, sessions };
  }
  return code;
};

/** Several statements in one text are one transaction. */
async function send(
  context: CommandContext,
  connection: PostgresConnection,
  { form, isQuiet }: Asked,
  text: string,
): Promise<number> {
  const { deps, signal } = context;
  const command = text.trim().split(/[\s+;]/)[0] ?? "";
  if (command === "\\q") return 0;
  const known = Object.hasOwn(meta, command) ? meta[command] : undefined;
  const all = statementsIn(known ?? text);
  const isOne = all.length > 1;
  if (isOne) connection.inTransaction = true;
  for (const { sql } of all) {
    try {
      const result = await runStatement(connection, sql, (ms) => deps.loop.sleep(ms, signal));
      if ("rows" in result) context.out(psqlTable(result, form));
      else if (!isQuiet) context.out(`${result.tag}\n`);
    } catch (error) {
      if (error instanceof SqlError) context.err(`ERROR:  ${error.message}\n`);
      else if (error instanceof NotSimulated)
        context.err("psql: the embedded cluster does not simulate the rows of tables\n");
      else if (error instanceof Terminated) {
        context.err(
          "FATAL:  terminating connection due to administrator command\nserver closed the connection unexpectedly\n",
        );
        return 2;
      } else throw error;
      connection.inTransaction = false;
      return 1;
    }
  }
  if (isOne && connection.inTransaction) await runStatement(connection, "COMMIT", async () => {});
  return 0;
}
