import { type StoreCalls, type StoreKind, sectionOf } from "./store-state.ts";

/** Commands that delete all keys of a database, or put others in their place. */
const emptying = /^cmdstat_(flushall|flushdb|swapdb|debug\|reload|debug):calls=(\d+)/;
const resetting = /^cmdstat_config\|resetstat:calls=(\d+)/;
const counted = /^cmdstat_[^:]+:calls=(\d+)/;
/** The client's words where no server takes its connection. */
const isAway = /could not connect|connection (refused|timed out|reset)|name or service not known/i;

/** Redis 4 and later; accounts of 6 and later. */
export const redisStore: StoreKind = {
  usualPort: 6379,
  varies: /^(replicaof|slaveof|masterauth|replica-announce.*|slave-announce.*|pidfile|logfile|proc-title.*)$/,
  observes: /^(slowlog-.*|latency-.*|loglevel|syslog-.*|crash-.*)$/,
  room: /^(maxclients|maxmemory)$/,
  unlimited: /^maxmemory$/,
  settingsIn: (args) =>
    Object.fromEntries(
      args.flatMap((arg, at) => {
        const value = args[at + 1];
        return arg.startsWith("--") && value !== undefined && !value.startsWith("--")
          ? [[arg.slice(2), inBytes(value)]]
          : [];
      }),
    ),
  accountsIn: (args) => [
    ...(args.includes("--requirepass") ? ["default"] : []),
    ...args.flatMap((arg, at) => (arg === "--user" ? (args[at + 1] ?? []) : [])),
  ],
  script: [
    "echo @settings; redis-cli -p $PORT config get '*' 2>&1",
    "echo @accounts; redis-cli -p $PORT acl list 2>&1",
    "echo @calls; redis-cli -p $PORT info commandstats 2>&1",
  ].join("; "),
  read(printed) {
    const settings = pairsOf(sectionOf(printed, "settings"));
    const first = sectionOf(printed, "settings").find((line) => line !== "") ?? "";
    if (settings["maxclients"] === undefined)
      return first === "" || isAway.test(first) ? undefined : { refused: first.slice(0, 120) };
    const users = sectionOf(printed, "accounts").flatMap((line) => {
      const [, name, flags] = /^user (\S+) (.*)$/.exec(line) ?? [];
      return name === undefined || flags === undefined ? [] : [[name, flags.split(" ")] as const];
    });
    // Rules count in their order: a later one takes back what an earlier one gives.
    const isLogin = (flag: string): boolean => /^(on|off|nopass|#.*)$/.test(flag);
    const calls = callsIn(sectionOf(printed, "calls"));
    return {
      settings,
      logins: Object.fromEntries(users.map(([name, flags]) => [name, flags.filter(isLogin).join(" ")])),
      rights: Object.fromEntries(
        users.map(([name, flags]) => [name, [flags.filter((one) => !isLogin(one)).join(" ")]]),
      ),
      databases: [],
      ...(calls && { calls }),
    };
  },
};

/** Units of memory as redis.conf has them: a `b` makes them powers of 1024. */
const unit = /^(\d+)([kmg])(b?)$/i;

function inBytes(value: string): string {
  const [, amount, letter = "", b] = unit.exec(value) ?? [];
  if (amount === undefined) return value;
  const power = "kmg".indexOf(letter.toLowerCase()) + 1;
  return String(Number(amount) * (b ? 1024 : 1000) ** power);
}

/** `CONFIG GET` prints a line with each name and one with its value. */
function pairsOf(lines: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (let at = 0; at + 1 < lines.length; at += 2) found[lines[at] ?? ""] = lines[at + 1] ?? "";
  return found;
}

function callsIn(lines: readonly string[]): StoreCalls | undefined {
  if (!lines.some((line) => line.startsWith("# Commandstats"))) return undefined;
  const sum = (pattern: RegExp): number =>
    lines.reduce((total, line) => total + Number(pattern.exec(line)?.at(-1) ?? 0), 0);
  return { all: sum(counted), emptied: sum(emptying), reset: sum(resetting) };
}
