/** What a client of a datastore asks when it only reads; a value that is filled in later cannot be seen. */
const hasVariable = (args: readonly string[]): boolean => args.some((arg) => /[$`]/.test(arg));

const readingStatement = /^(select|show|desc|describe|explain|use|help)\b/i;
const changing =
  /\binto\s+(outfile|dumpfile|@)|\bfor\s+(update|share)\b|\b(sleep|benchmark|get_lock)\s*\(|\\[!.]/i;

/** Whether `mysql` may do more than read: a statement that is none of the reading ones, or what it takes from its input. */
export function mysqlWrites(args: readonly string[]): boolean {
  if (args.some((arg) => /^(--version|-V|--help|-\?)$/.test(arg))) return false;
  const statements = statementsOf(args);
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

/** Whether `redis-cli` may do more than read. */
export function redisWrites(args: readonly string[]): boolean {
  if (hasVariable(args)) return true;
  let at = 0;
  while (at < args.length && args[at]?.startsWith("-")) {
    if (
      /^--(eval|pipe|rdb|functions-rdb|ldb|cluster|replica|lru-test|intrinsic-latency)/.test(args[at] ?? "")
    )
      return true;
    at += /^(-[hpanrit]|--user|--pass)$/.test(args[at] ?? "") ? 2 : 1;
  }
  const [command = "", subcommand = "", ...more] = args.slice(at);
  const name = command.toLowerCase();
  if (redisReads.has(name)) return false;
  const known = Object.hasOwn(redisSubcommands, name) ? redisSubcommands[name] : undefined;
  return !known?.test(subcommand) || (name === "acl" && /^reset$/i.test(more[0] ?? ""));
}
