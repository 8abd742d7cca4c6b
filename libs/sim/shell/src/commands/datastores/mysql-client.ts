import {
  type Attempted,
  accountFor,
  loginError,
  type MysqlError,
  type MysqlServer,
  mysqlServer,
  setMysqlVariable,
  statementsIn,
  writeMysql,
} from "@microremed/sim-machine";
import type { Command, CommandContext } from "../../container/command.types.ts";
import { parseOptions } from "../../container/options.ts";
import { runSql } from "./run-sql.ts";
import type { SqlResult, SqlSession } from "./sql-session.types.ts";
import { tableOf } from "./table-text.ts";

interface Asked {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly query: string | undefined;
  readonly flags: ReadonlySet<string>;
  readonly rest: readonly string[];
}

const isLocal = (host: string): boolean => host === "127.0.0.1" || host === "localhost";

/** `-p` takes a value only without a space; the first word that is no option is the database. */
function readOptions({ args, variable, name }: CommandContext): Asked {
  let password = variable("MYSQL_PWD") ?? "";
  const others = args.filter((arg) => {
    const given = /^(?:-p|--password=)(.+)$/s.exec(arg)?.[1];
    if (given !== undefined) password = given;
    return given === undefined;
  });
  const { values, rest, flags } = parseOptions(
    others,
    ["p", "s", "N", "B", "t", "f", "v", "silent", "batch", "table", "skip-column-names", "password", "force"],
    ["h", "P", "u", "e", "D", "host", "port", "user", "execute", "database", "connect-timeout", "protocol"],
  );
  const given = (short: string, long: string): string | undefined => values.get(short) ?? values.get(long);
  return {
    host: given("h", "host") ?? "localhost",
    port: Number(given("P", "port") ?? 3306),
    user: given("u", "user") ?? "root",
    password,
    database: given("D", "database") ?? (name === "mysql" ? (rest[0] ?? "") : ""),
    query: given("e", "execute"),
    flags,
    rest,
  };
}

const reason = ({ error }: Attempted): string => (/time/i.test(error) ? "110" : "111");

/** Connects; says why it cannot, as the client does, and returns undefined. */
async function connect(context: CommandContext, asked: Asked): Promise<SqlSession | undefined> {
  const { deps, sandbox, signal, name } = context;
  const { host, port, user, password, database } = asked;
  const local = isLocal(host);
  const attempted = deps.network.tcpConnect(sandbox, local ? "127.0.0.1" : host, port, 10_000);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  const found = attempted.ok ? serverOf(context, attempted) : undefined;
  if (!found) {
    const socket = "Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)";
    const remote = /no such host/.test(attempted.error)
      ? `Unknown MySQL server host '${host}' (-2)`
      : `Can't connect to MySQL server on '${host}:${port}' (${reason(attempted)})`;
    const code = local ? "2002" : remote.startsWith("Unknown") ? "2005" : "2003";
    const why = local ? socket : remote;
    if (name === "mysqladmin")
      context.err(`mysqladmin: connect to server at '${host}' failed\nerror: '${why}'\n`);
    else context.err(`ERROR ${code} (HY000): ${why}\n`);
    return undefined;
  }
  const from = local ? "localhost" : sandbox.ip;
  const refused = loginError(found.state, { user, password, host: from, database }) ?? isFull(found, user);
  const account = accountFor(found.state, user, from);
  if (refused || !account) {
    if (refused) sayError(context, asked, refused);
    return undefined;
  }
  return {
    server: found,
    account,
    user,
    host: from,
    now: deps.loop.now(),
    database,
    state: found.state,
    variables: new Map(),
  };
}

/** One connection more than allowed is kept for those who administer the server. */
function isFull({ container, variables }: MysqlServer, user: string): MysqlError | undefined {
  const used = container.storeClients?.length ?? 0;
  const most = Number(variables["max_connections"] ?? Number.POSITIVE_INFINITY);
  return used >= most && user !== "root"
    ? { code: 1040, state: "HY000", message: "Too many connections" }
    : undefined;
}

/** The server that took the connection. */
function serverOf({ deps, sandbox, container }: CommandContext, { by }: Attempted): MysqlServer {
  return by
    ? mysqlServer(deps.machine, by.sandbox, by.container)
    : mysqlServer(deps.machine, sandbox, container);
}

function sayError(
  { name, err }: CommandContext,
  { host }: Asked,
  { code, state, message }: MysqlError,
): void {
  if (name === "mysqladmin") err(`mysqladmin: connect to server at '${host}' failed\nerror: '${message}'\n`);
  else err(`ERROR ${code} (${state}): ${message}\n`);
}

/** `mysql -e`, or with statements on stdin. */
export const mysql: Command = async (context) => {
  const asked = readOptions(context);
  const session = await connect(context, asked);
  if (!session) return 1;
  const text = asked.query ?? Buffer.from(await context.stdin()).toString();
  let line = 0;
  let code = 0;
  for (const { sql, isVertical } of statementsIn(text)) {
    line++;
    const result = runSql(session, sql);
    if ("notSimulated" in result) {
      context.err("mysql: the embedded cluster does not simulate tables and their rows\n");
      code = 1;
    } else if ("error" in result) {
      const { error } = result;
      context.err(`ERROR ${error.code} (${error.state}) at line ${line}: ${error.message}\n`);
      code = 1;
    } else print(context, asked, result, isVertical);
    if (code !== 0 && !asked.flags.has("f") && !asked.flags.has("force")) break;
  }
  commit(context, session);
  return code;
};

function commit({ deps }: CommandContext, { server, state, variables }: SqlSession): void {
  if (state !== server.state) writeMysql(deps.machine, server, state);
  for (const [name, value] of variables) setMysqlVariable(server, name, value);
}

function print(context: CommandContext, { flags }: Asked, result: SqlResult, isVertical: boolean): void {
  if (!("rows" in result) || result.rows.length === 0) return;
  const withNames = !flags.has("N") && !flags.has("skip-column-names");
  const inTable =
    (context.tty || flags.has("t") || flags.has("table")) && !flags.has("B") && !flags.has("batch");
  context.out(tableOf(result, { withNames, form: isVertical ? "vertical" : inTable ? "table" : "tabs" }));
}

/** `mysqladmin ping|status|version|processlist|variables|flush-hosts`. */
export const mysqladmin: Command = async (context) => {
  const asked = readOptions(context);
  const [command = "", ...more] = asked.rest;
  if (command === "ping") {
    // A server that refuses the login is alive all the same.
    const quiet: CommandContext = { ...context, err: () => {} };
    const { host, port } = asked;
    const local = isLocal(host) ? "127.0.0.1" : host;
    const attempted = context.deps.network.tcpConnect(context.sandbox, local, port, 10_000);
    await context.deps.loop.sleep(attempted.elapsedMs, context.signal);
    if (!attempted.ok) return (await connect(context, asked)) ? 0 : 1;
    await connect(quiet, asked);
    context.out("mysqld is alive\n");
    return 0;
  }
  const session = await connect(context, asked);
  if (!session) return 1;
  const sql = {
    processlist: "SHOW PROCESSLIST",
    variables: "SHOW VARIABLES",
    "extended-status": "SHOW STATUS",
  }[command];
  if (sql !== undefined) {
    const result = runSql(session, sql);
    if ("rows" in result) context.out(tableOf(result, { withNames: true, form: "table" }));
    return 0;
  }
  if (command === "password") return password(context, session, more[0] ?? "");
  if (/^(flush-(hosts|privileges|logs|status|tables)|reload|refresh)$/.test(command)) return 0;
  if (command !== "status" && command !== "version" && command !== "") {
    context.err(`mysqladmin: Unknown command: '${command}'\n`);
    return 1;
  }
  const uptime = Math.floor((session.now - session.server.container.startedAt) / 1000);
  context.out(`Uptime: ${uptime}  Threads: ${1 + (session.server.container.storeClients?.length ?? 0)}\n`);
  return 0;
};

function password(context: CommandContext, session: SqlSession, text: string): number {
  const { user, host } = session.account;
  const result = runSql(session, `ALTER USER '${user}'@'${host}' IDENTIFIED BY '${text}'`);
  if ("error" in result) {
    context.err(`mysqladmin: unable to change password; error: '${result.error.message}'\n`);
    return 1;
  }
  commit(context, session);
  return 0;
}
