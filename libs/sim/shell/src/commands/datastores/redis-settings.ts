import {
  blankRedisUser,
  bytesOf,
  type RedisState,
  type RedisUser,
  usedMemory,
  withPassword,
  withRedisRule,
} from "@microremed/sim-machine";
import { bulk, failure, list, nil, ok, type RedisReply, type RedisSession } from "./redis-reply.types.ts";

/** A glob of Redis, with `*` and `?`. */
export function globMatches(glob: string, text: string): boolean {
  const parts = glob.split("*");
  if (parts.length === 1) return glob === text;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = text.indexOf(part, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) ?? "";
  return last === "" || text.endsWith(last);
}

/** `CONFIG GET|SET|REWRITE|RESETSTAT`. */
export function config(session: RedisSession, args: readonly string[]): RedisReply {
  const [verb = "", ...rest] = args;
  const what = verb.toLowerCase();
  if (what === "get") {
    const found = Object.entries(session.state.config).filter(([name]) =>
      rest.some((glob) => globMatches(glob.toLowerCase(), name)),
    );
    return list(found.flat());
  }
  if (what === "set") return setConfig(session, rest);
  if (what === "resetstat") {
    session.state = { ...session.state, calls: {} };
    return ok;
  }
  if (what === "rewrite") return failure("ERR The server is running without a config file");
  return failure(`ERR unknown subcommand '${verb}'. Try CONFIG HELP.`);
}

function setConfig(session: RedisSession, args: readonly string[]): RedisReply {
  let { state } = session;
  if (args.length === 0 || args.length % 2 === 1)
    return failure("ERR wrong number of arguments for 'config|set' command");
  for (let at = 0; at < args.length; at += 2) {
    const name = (args[at] ?? "").toLowerCase();
    const value = args[at + 1] ?? "";
    if (!Object.hasOwn(state.config, name))
      return failure(`ERR Unknown option or number of arguments for CONFIG SET - '${args[at]}'`);
    const bytes = name === "maxmemory" ? bytesOf(value) : undefined;
    const isWrong =
      (name === "maxmemory" && bytes === undefined) || (name === "maxclients" && !/^[1-9]\d*$/.test(value));
    if (isWrong)
      return failure(
        `ERR CONFIG SET failed (possibly related to argument '${name}') - argument must be ${name === "maxmemory" ? "a memory value" : "between 1 and 4294967295 inclusive"}`,
      );
    state =
      name === "requirepass"
        ? withPassword(state, value)
        : { ...state, config: { ...state.config, [name]: bytes === undefined ? value : String(bytes) } };
  }
  session.state = state;
  return ok;
}

const flagsOf = ({ isOn, needsNoPassword, passwords, rules }: RedisUser): string =>
  [
    isOn ? "on" : "off",
    ...(needsNoPassword ? ["nopass"] : []),
    ...passwords.map((one) => `#${one}`),
    "sanitize-payload",
    rules,
  ].join(" ");

/** `ACL LIST|USERS|WHOAMI|GETUSER|SETUSER|DELUSER|CAT|LOG`. */
export function acl(session: RedisSession, args: readonly string[]): RedisReply {
  const [verb = "", name = "", ...rules] = args;
  const { users } = session.state;
  const user = Object.hasOwn(users, name) ? users[name] : undefined;
  switch (verb.toLowerCase()) {
    case "whoami":
      return bulk(session.user ?? "default");
    case "users":
      return list(Object.keys(users));
    case "list":
      return list(Object.entries(users).map(([one, account]) => `user ${one} ${flagsOf(account)}`));
    case "getuser":
      return user
        ? list(["flags", flagsOf(user), "passwords", user.passwords.join(" "), "commands", user.rules])
        : nil;
    case "setuser":
      session.state = changed(session.state, name, rules.reduce(withRedisRule, user ?? blankRedisUser));
      return ok;
    case "deluser": {
      if (name === "default") return failure("ERR The 'default' user cannot be removed");
      const { [name]: gone, ...left } = users;
      session.state = { ...session.state, users: left };
      return { type: "integer", value: gone ? 1 : 0 };
    }
    case "log":
      return list([]);
    default:
      return failure(`ERR unknown subcommand '${verb}'. Try ACL HELP.`);
  }
}

const changed = (state: RedisState, name: string, user: RedisUser): RedisState => ({
  ...state,
  users: { ...state.users, [name]: user },
});

/** `INFO [section]`. */
export function info(session: RedisSession, sections: readonly string[]): RedisReply {
  const { state, clients, uptimeSeconds } = session;
  const wanted = sections.map((one) => one.toLowerCase());
  const used = usedMemory(state);
  const most = Number(state.config["maxmemory"] ?? 0);
  const keys = Object.keys(state.data).length;
  const all: Readonly<Record<string, readonly string[]>> = {
    Server: [
      "redis_version:7.0.4",
      "redis_mode:standalone",
      "process_id:1",
      "tcp_port:6379",
      `uptime_in_seconds:${uptimeSeconds}`,
    ],
    Clients: [
      `connected_clients:${clients.length + 1}`,
      `maxclients:${state.config["maxclients"]}`,
      "blocked_clients:0",
    ],
    Memory: [
      `used_memory:${used}`,
      `used_memory_human:${human(used)}`,
      `maxmemory:${most}`,
      `maxmemory_human:${most === 0 ? "0B" : human(most)}`,
      `maxmemory_policy:${state.config["maxmemory-policy"]}`,
    ],
    Persistence: [
      "loading:0",
      "rdb_bgsave_in_progress:0",
      `aof_enabled:${state.config["appendonly"] === "yes" ? 1 : 0}`,
      `aof_last_write_status:${session.isStuck() ? "err" : "ok"}`,
    ],
    Replication: ["role:master", "connected_slaves:0"],
    Commandstats: Object.entries(state.calls).map(
      ([name, calls]) => `cmdstat_${name}:calls=${calls},usec=${calls},usec_per_call=1.00`,
    ),
    Keyspace: keys > 0 ? [`db0:keys=${keys},expires=0,avg_ttl=0`] : [],
  };
  const isShown = (name: string): boolean => {
    if (wanted.some((one) => ["all", "everything", name.toLowerCase()].includes(one))) return true;
    return name !== "Commandstats" && (wanted.length === 0 || wanted.includes("default"));
  };
  const shown = Object.entries(all).filter(([name]) => isShown(name));
  return bulk(
    shown.map(([name, lines]) => `# ${name}\r\n${lines.map((one) => `${one}\r\n`).join("")}`).join("\r\n"),
  );
}

const human = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${(bytes / 1024 ** 2).toFixed(2)}M` : `${(bytes / 1024).toFixed(2)}K`;
