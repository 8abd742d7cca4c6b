import { type ClosedOptions, fits, readArguments } from "./closed-options.ts";

/** What a client of a datastore asks when it only reads; a value that is filled in later cannot be seen. */
const hasVariable = (args: readonly string[]): boolean => args.some((arg) => /[$`]/.test(arg));

const readingStatement = /^(select|show|desc|describe|explain|use|help)\b/i;
/** `explain analyze` runs what it explains. A function with its database's name is not MySQL's own, and may write. */
const changing =
  /\binto\s+(outfile|dumpfile|@)|\bfor\s+(update|share)\b|\b(sleep|benchmark|get_lock|nextval|setval)\s*\(|\bnext\s+value\b|\banalyze\b[\s\S]*\b(update|delete|insert|replace)\b|\w\.\s*\w+\s*\(|\\|\/\*M?!/i;
const anything = /[\s\S]*/;
/** Others can name a first statement, another end of statements, or a file to write. */
const mysqlOptions: ClosedOptions = {
  flags: "NBstrfEqvC",
  joined: "p",
  values: {
    ...{ u: anything, h: anything, P: anything, D: anything, e: anything, S: anything },
    ...{ user: anything, password: anything, host: anything, port: anything, database: anything },
    ...{ execute: anything, protocol: anything, socket: anything, "connect-timeout": anything },
    ...{ "ssl-mode": anything, "default-character-set": anything },
  },
  long: "batch silent skip-column-names table vertical raw compress password skip-ssl",
  operands: anything,
  mostOperands: 1,
};

/** Whether `mysql` may do more than read: a statement that is none of the reading ones, or what it takes from its input. */
export function mysqlWrites(args: readonly string[]): boolean {
  if (args.length === 1 && /^(--version|-V|--help|-\?)$/.test(args[0] ?? "")) return false;
  const given = readArguments(args, mysqlOptions);
  if (!given || hasVariable(args)) return true;
  const statements = given.values.flatMap(([name, text]) =>
    name === "e" || name === "execute" ? statementsOf(text) : [],
  );
  return statements.length === 0 || !statements.every(reads);
}

/** The client ends a statement at `;`, `\\g` and `\\G`. */
const statementsOf = (text: string): string[] =>
  text
    .split(/;|\\g/i)
    .map((sql) => sql.trim())
    .filter((sql) => sql !== "");

/** The client's own commands, `use` and `help`, end with their line: what follows is another statement. */
const reads = (sql: string): boolean =>
  readingStatement.test(sql) && !changing.test(sql) && !(/^(use|help)\b/i.test(sql) && /[\r\n]/.test(sql));

const adminOptions: ClosedOptions = {
  flags: "svE",
  joined: "p",
  values: {
    ...{ u: anything, h: anything, P: anything, S: anything, i: /^\d+$/, c: /^\d+$/ },
    ...{ user: anything, password: anything, host: anything, port: anything, socket: anything },
    ...{ protocol: anything, "ssl-mode": anything, "connect-timeout": anything },
  },
  long: "silent verbose vertical password skip-ssl",
  operands: /^(ping|status|version|processlist|variables|extended-status)$/,
};

/** Whether `mysqladmin` may do more than read. */
export const mysqladminWrites = (args: readonly string[]): boolean =>
  hasVariable(args) || !fits(args, adminOptions);

/** Others write a file, read one, or set what the client does with the answer. */
const psqlOptions: ClosedOptions = {
  flags: "tAqXxwn1",
  values: {
    ...{ U: /^[\w.-]+$/, h: /^[\w./-]+$/, p: /^\d+$/, d: /^[\w.-]+$/, c: anything, F: /^[^\\]?$/ },
    ...{ username: /^[\w.-]+$/, host: /^[\w./-]+$/, port: /^\d+$/, dbname: /^[\w.-]+$/, command: anything },
    ...{ v: /^ON_ERROR_STOP=[01]$/ },
  },
  long: "tuples-only no-align quiet no-psqlrc expanded no-password",
  operands: /^[\w.-]+$/,
  mostOperands: 2,
};

/** Commands of the client itself that list what there is. */
const psqlLists = /^\\(d[pntuvx]?|l|z|conninfo)\+?(\s+[\w.*]+)?$/;
/** What may stand before a parenthesis: words of the language, and functions that only read. */
const psqlCalls = new Set(
  "in and or not any all exists using on where from select as over filter values count sum min max avg round now age left right length lower upper coalesce concat extract date_trunc to_char string_agg array_agg cardinality array_length version current_database current_setting pg_backend_pid pg_blocking_pids pg_is_in_recovery pg_postmaster_start_time pg_size_pretty pg_database_size pg_relation_size pg_total_relation_size has_table_privilege".split(
    " ",
  ),
);
/** `select into` makes a table; a comment may stand between a function and its parenthesis. */
const psqlChanging = /\binto\b|\bfor\s+(update|share|no\s+key|key)\b|\\|\/\*|--|"\s*\(/i;

function psqlReads(sql: string): boolean {
  if (psqlLists.test(sql)) return true;
  if (!/^(select|show)\b/i.test(sql) || psqlChanging.test(sql)) return false;
  return [...sql.matchAll(/([\w$]+)\s*\(/g)].every(([, name = ""]) => psqlCalls.has(name.toLowerCase()));
}

/** Whether `psql` may do more than read: a statement that is none of the reading ones, or what it takes from its input. */
export function psqlWrites(args: readonly string[]): boolean {
  if (args.length === 1 && /^(--version|-V|--help)$/.test(args[0] ?? "")) return false;
  const given = readArguments(args, psqlOptions);
  if (!given || hasVariable(args)) return true;
  const statements = given.values.flatMap(([name, text]) =>
    name === "c" || name === "command" ? text.split(";").map((one) => one.trim()) : [],
  );
  const said = statements.filter((one) => one !== "");
  return said.length === 0 || !said.every(psqlReads);
}

const redisReads = new Set(
  "ping info get mget strlen exists type ttl pttl keys scan dbsize echo time role lastsave hget hgetall hlen llen lrange scard smembers zcard zrange".split(
    " ",
  ),
);
const redisSubcommands: Readonly<Record<string, RegExp>> = {
  acl: /^(list|users|whoami|getuser|cat|log)$/i,
  client: /^(list|info|id|getname)$/i,
  config: /^get$/i,
  memory: /^(usage|stats|doctor)$/i,
  slowlog: /^(get|len)$/i,
};

/** Others run a script, write a file or take commands from the input. */
const redisOptions = /^(--(raw|no-raw|csv|json|tls|no-auth-warning|insecure|no-password)|-[23])$/;

/** Whether `redis-cli` may do more than read. */
export function redisWrites(args: readonly string[]): boolean {
  if (hasVariable(args)) return true;
  let at = 0;
  while (at < args.length && args[at]?.startsWith("-")) {
    const option = args[at] ?? "";
    const takes = /^(-[hpanrits]|--user|--pass|--pattern|--cacert)$/.test(option);
    if (!takes && !redisOptions.test(option)) return true;
    at += takes ? 2 : 1;
  }
  const [command = "", subcommand = "", ...more] = args.slice(at);
  const name = command.toLowerCase();
  if (redisReads.has(name)) return false;
  const known = Object.hasOwn(redisSubcommands, name) ? redisSubcommands[name] : undefined;
  return !known?.test(subcommand) || (name === "acl" && /^reset$/i.test(more[0] ?? ""));
}

/** A file of the shell's, which ends in `.js`, is no database. */
const mongoOptions: ClosedOptions = {
  flags: "",
  values: {
    ...{ u: anything, p: anything, username: anything, password: anything, eval: anything },
    ...{ host: /^[\w.:-]+$/, port: /^\d+$/, authenticationDatabase: /^[\w-]+$/ },
  },
  long: "quiet norc tls ssl tlsAllowInvalidCertificates tlsAllowInvalidHostnames",
  operands: /^(?:[\w.-]+(?::\d+)?\/)?[\w-]+$/,
  mostOperands: 1,
};

const mongoShow = /^show\s+(dbs|databases|users|roles|collections)$/;
const mongoSibling = /^db\.getSiblingDB\((?:'[\w-]+'|"[\w-]+")\)\./;
/** Calls with nothing but a name in them. */
const mongoCall =
  /^db\.(?:(?:getUsers?|getRoles?|getName|version|stats|serverStatus|hello|isMaster|hostInfo|getCollectionNames)|\w+\.(?:count|countDocuments|estimatedDocumentCount|findOne|stats))\(\s*(?:'[\w@.-]*'|"[\w@.-]*")?\s*\)$/;

/** A script of the shell is JavaScript: of it only single calls that read, printed or not. */
function mongoReads(statement: string): boolean {
  const inner = /^(?:print|printjson|tojson)\((.*)\)$/.exec(statement)?.[1] ?? statement;
  return mongoShow.test(statement) || mongoCall.test(inner.replace(mongoSibling, "db."));
}

/** Whether `mongo` or `mongosh` may do more than read: a statement that is none of the reading ones, or what it takes from its input. */
export function mongoWrites(args: readonly string[]): boolean {
  if (args.length === 1 && /^(--version|--help|-h)$/.test(args[0] ?? "")) return false;
  const given = readArguments(args, mongoOptions);
  if (!given || hasVariable(args)) return true;
  const statements = given.values
    .flatMap(([name, text]) => (name === "eval" ? text.split(/[;\n]/) : []))
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  return statements.length === 0 || !statements.every(mongoReads);
}

/** Others delete groups, move their offsets or read a file. */
const kafkaGroupsOptions: ClosedOptions = {
  values: { "bootstrap-server": /^[\w.:,-]+$/, group: /^[\w.-]+$/, timeout: /^\d+$/ },
  long: "describe list all-groups members offsets state verbose",
};

/** Whether `kafka-consumer-groups.sh` may do more than read. */
export const kafkaGroupsWrite = (args: readonly string[]): boolean => !fits(args, kafkaGroupsOptions);
