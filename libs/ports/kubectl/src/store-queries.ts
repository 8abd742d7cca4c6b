import { type ClosedOptions, fits } from "./closed-options.ts";

/** What a client of a datastore asks when it only reads; a value that is filled in later cannot be seen. */
const hasVariable = (args: readonly string[]): boolean => args.some((arg) => /[$`]/.test(arg));

const readingStatement = /^(select|show|desc|describe|explain|use|help)\b/i;
const changing =
  /\binto\s+(outfile|dumpfile|@)|\bfor\s+(update|share)\b|\b(sleep|benchmark|get_lock)\s*\(|\\[^gG]|\/\*!/i;
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
  if (args.some((arg) => /^(--version|-V|--help|-\?)$/.test(arg))) return false;
  const statements = statementsOf(args);
  if (!fits(args, mysqlOptions)) return true;
  if (hasVariable(args) || statements.length === 0) return true;
  return statements.some((sql) => !readingStatement.test(sql) || changing.test(sql));
}

function statementsOf(args: readonly string[]): string[] {
  const texts = args.flatMap((arg, at) => {
    const joined = /^(?:--execute=|-[a-zA-Z]*?e(?=.))(.*)$/s.exec(arg)?.[1];
    if (joined !== undefined && !/^-[-pPhuD]/.test(arg.replace(/^--execute=.*/s, "-e"))) return [joined];
    return /^(-[NBstrfEqv]*e|--execute)$/.test(arg) ? [args[at + 1] ?? ""] : [];
  });
  return texts
    .flatMap((text) => text.split(/;|\\G/))
    .map((sql) => sql.trim())
    .filter((sql) => sql !== "");
}

const adminReads = /^(ping|status|version|processlist|variables|extended-status)$/;

/** Whether `mysqladmin` may do more than read. */
export function mysqladminWrites(args: readonly string[]): boolean {
  const values = /^-[huP]$/;
  const commands = args.filter((arg, at) => !arg.startsWith("-") && !values.test(args[at - 1] ?? ""));
  return hasVariable(args) || !commands.every((command) => adminReads.test(command));
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
