import { databaseError } from "@microremed/sim-machine";
import { done, failed, type SqlForm, type SqlResult, type SqlSession } from "./sql-session.types.ts";

/** `LIKE` of SQL as a pattern: `%` any text, `_` any letter. */
function like(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true;
  const parts = pattern.toLowerCase().split("%");
  return (text) => {
    const lower = text.toLowerCase();
    if (parts.length === 1) return lower === parts[0];
    let at = 0;
    for (const [index, part] of parts.entries()) {
      const found = lower.indexOf(part, at);
      if (found < 0 || (index === 0 && found > 0)) return false;
      at = found + part.length;
    }
    const last = parts.at(-1) ?? "";
    return last === "" || lower.endsWith(last);
  };
}

const rowsOf = (
  columns: readonly string[],
  entries: Iterable<readonly [string, string]>,
  pattern: string | undefined,
): SqlResult => ({ columns, rows: [...entries].filter(([name]) => like(pattern)(name)).sort() });

const variablesOf = ({ server, variables }: SqlSession): ReadonlyMap<string, string> =>
  new Map([...Object.entries(server.variables), ...variables]);

function statusOf({ server, now }: SqlSession): [string, string][] {
  const threads = 1 + (server.container.storeClients?.length ?? 0);
  return [
    ["Threads_connected", String(threads)],
    ["Max_used_connections", String(threads)],
    ["Uptime", String(Math.floor((now - server.container.startedAt) / 1000))],
    ["Open_tables", "64"],
  ];
}

const seconds = (from: number, now: number): string => String(Math.max(0, Math.floor((now - from) / 1000)));

/** The connections that there are: those of programs, and the session's own. */
function processes(session: SqlSession): readonly (readonly string[])[] {
  const { server, user, host, database, now } = session;
  const age = seconds(server.container.startedAt, now);
  const others = (server.container.storeClients ?? []).map((client, index) => [
    String(index + 10),
    client.user,
    `${client.ip}:${40_000 + index}`,
    client.database,
    "Sleep",
    age,
    "",
    "NULL",
  ]);
  const own = String(others.length + 10);
  return [
    ...others,
    [own, user, host, database === "" ? "NULL" : database, "Query", "0", "starting", "SHOW PROCESSLIST"],
  ];
}

const processColumns = ["Id", "User", "Host", "db", "Command", "Time", "State", "Info"];

const accountColumns: Readonly<Record<string, (one: SqlSession["account"]) => string>> = {
  user: ({ user }) => user,
  host: ({ host }) => host,
  plugin: () => "mysql_native_password",
  authentication_string: ({ hash }) => hash,
  account_locked: ({ locked }) => (locked ? "Y" : "N"),
  password_expired: () => "N",
  ssl_type: () => "",
};

function selectAccounts(session: SqlSession, list: string, where: string | undefined): SqlResult {
  const columns =
    list.trim() === "*"
      ? Object.keys(accountColumns)
      : list.split(",").map((one) => one.trim().replaceAll("`", ""));
  const unknown = columns.find((column) => !(column.toLowerCase() in accountColumns));
  if (unknown !== undefined) return failed(1054, "42S22", `Unknown column '${unknown}' in 'field list'`);
  const conditions = [...(where ?? "").matchAll(/\b(user|host)\s*=\s*['"]([^'"]*)['"]/gi)];
  const rows = session.state.accounts
    .filter((account) =>
      conditions.every(([, column = "", value]) => accountColumns[column.toLowerCase()]?.(account) === value),
    )
    .map((account) => columns.map((column) => accountColumns[column.toLowerCase()]?.(account) ?? "NULL"));
  return { columns, rows };
}

/** An expression without a table. Undefined: it is none that is known. */
function expressionValue(session: SqlSession, text: string): string | undefined {
  const { user, host, account, database, server } = session;
  const expression = text.trim().replace(/\s+as\s+\w+$/i, "");
  if (/^-?\d+(\.\d+)?$/.test(expression)) return expression;
  if (/^(['"]).*\1$/.test(expression)) return expression.slice(1, -1);
  const variable = /^@@(?:global\.|session\.)?(\w+)$/i.exec(expression)?.[1]?.toLowerCase();
  if (variable === "read_only" || variable === "super_read_only") return server.isReadOnly ? "1" : "0";
  if (variable === "hostname") return server.sandbox.hostname;
  if (variable !== undefined) return variablesOf(session).get(variable);
  const known: Readonly<Record<string, () => string>> = {
    version: () => server.variables["version"] ?? "",
    user: () => `${user}@${host}`,
    current_user: () => `${account.user}@${account.host}`,
    database: () => (database === "" ? "NULL" : database),
    now: () => new Date(session.now).toISOString().replace("T", " ").slice(0, 19),
    connection_id: () => String((server.container.storeClients?.length ?? 0) + 10),
  };
  return known[/^(\w+)\s*(\(\s*\))?$/.exec(expression)?.[1]?.toLowerCase() ?? ""]?.();
}

function selectValues(session: SqlSession, list: string): SqlResult {
  const columns = list.split(",").map((one) => one.trim());
  const values = columns.map((column) => expressionValue(session, column));
  const at = values.indexOf(undefined);
  if (at < 0)
    return { columns: columns.map((one) => one.replace(/^(['"])(.*)\1$/, "$2")), rows: [values as string[]] };
  const column = columns[at] ?? "";
  if (column.startsWith("@@"))
    return failed(1193, "HY000", `Unknown system variable '${column.replace(/^@@/, "")}'`);
  return /\(/.test(column)
    ? { notSimulated: true }
    : failed(1054, "42S22", `Unknown column '${column}' in 'field list'`);
}

function use(session: SqlSession, name: string): SqlResult {
  const { state, account, user, host } = session;
  const error = databaseError(state, account, `'${user}'@'${host}'`, name);
  if (error) return { error };
  session.database = name;
  return done;
}

function setGlobal(session: SqlSession, name: string, value: string): SqlResult {
  if (!session.account.grants.some(({ on }) => on === "*.*"))
    return failed(
      1227,
      "42000",
      "Access denied; you need (at least one of) the SUPER privilege(s) for this operation",
    );
  if (!variablesOf(session).has(name)) return failed(1193, "HY000", `Unknown system variable '${name}'`);
  if (name === "max_connections") {
    if (!/^\d+$/.test(value)) return failed(1232, "42000", `Incorrect argument type to variable '${name}'`);
    session.variables.set(name, String(Math.min(100_000, Math.max(1, Number(value)))));
  } else session.variables.set(name, value.replace(/^(['"])(.*)\1$/, "$2"));
  return done;
}

/** Statements about the server itself. */
export const serverStatements: readonly SqlForm[] = [
  {
    pattern: /^SHOW\s+(?:DATABASES|SCHEMAS)$/i,
    run: ({ state }) => ({ columns: ["Database"], rows: state.databases.map((one) => [one]) }),
  },
  {
    pattern: /^SHOW\s+(?:FULL\s+)?PROCESSLIST$/i,
    run: (session) => ({ columns: processColumns, rows: processes(session) }),
  },
  {
    pattern: /^SHOW\s+(?:GLOBAL\s+|SESSION\s+)?VARIABLES(?:\s+LIKE\s+['"](.*)['"])?$/i,
    run: (session, [, pattern]) => rowsOf(["Variable_name", "Value"], variablesOf(session), pattern),
  },
  {
    pattern: /^SHOW\s+(?:GLOBAL\s+|SESSION\s+)?STATUS(?:\s+LIKE\s+['"](.*)['"])?$/i,
    run: (session, [, pattern]) => rowsOf(["Variable_name", "Value"], statusOf(session), pattern),
  },
  {
    pattern: /^SELECT\s+(.+?)\s+FROM\s+`?mysql`?\.`?user`?(?:\s+WHERE\s+(.*))?$/is,
    run: (session, [, list = "", where]) => selectAccounts(session, list, where),
  },
  {
    pattern: /^SELECT\s+(?!.*\bFROM\b)(.+)$/is,
    run: (session, [, list = ""]) => selectValues(session, list),
  },
  { pattern: /^USE\s+`?([\w$-]+)`?$/i, run: (session, [, name = ""]) => use(session, name) },
  {
    pattern: /^SET\s+(?:GLOBAL\s+|@@global\.)(\w+)\s*:?=\s*(.+)$/i,
    run: (session, [, name = "", value = ""]) => setGlobal(session, name.toLowerCase(), value.trim()),
  },
  { pattern: /^SET\s+(?:SESSION\s+)?(?:NAMES|@?\w+).*$/i, run: () => done },
  { pattern: /^FLUSH\s+(?:PRIVILEGES|HOSTS|LOGS|STATUS|TABLES)$/i, run: () => done },
  {
    pattern: /^KILL\s+(?:CONNECTION\s+|QUERY\s+)?(\d+)$/i,
    // A pool opens another connection in the place of one that was ended.
    run: (session, [, id]) =>
      processes(session).some(([one]) => one === id)
        ? done
        : failed(1094, "HY000", `Unknown thread id: ${id}`),
  },
  {
    pattern: /^CREATE\s+(?:DATABASE|SCHEMA)\s+(IF\s+NOT\s+EXISTS\s+)?`?([\w$-]+)`?.*$/i,
    run(session, [, ifNotThere, name = ""]) {
      const { state } = session;
      if (state.databases.includes(name))
        return ifNotThere ? done : failed(1007, "HY000", `Can't create database '${name}'; database exists`);
      session.state = { ...state, databases: [...state.databases, name] };
      return { affected: 1 };
    },
  },
];
