import { redisLoginError } from "@microremed/sim-machine";
import {
  bulk,
  failure,
  integer,
  list,
  nil,
  ok,
  type RedisReply,
  type RedisSession,
} from "./redis-reply.types.ts";
import { acl, config, globMatches, info } from "./redis-settings.ts";

/** Commands that may take memory: refused when there is none left. */
const writes = new Set(["set", "append", "incr", "setex", "hset", "lpush", "rpush", "sadd", "mset"]);
/** Commands that are refused, too, where a write cannot be kept. */
const refusedOnDiskError = new Set([...writes, "del", "unlink", "flushall", "flushdb", "ping"]);
/** What a client may do before it has shown who it is. */
const open = new Set(["auth", "hello", "quit"]);
/** Commands that are counted by their second word. */
const families = new Set(["acl", "client", "config", "slowlog"]);
/** Keys of a server at most: it is a simulation's memory. */
const mostKeys = 10_000;

/** Runs one command of a connection. */
export function runRedis(session: RedisSession, words: readonly string[]): RedisReply {
  const [given = "", ...args] = words;
  const name = given.toLowerCase();
  const denied =
    session.user === undefined ? redisLoginError(session.state, undefined, undefined) : undefined;
  if (denied !== undefined && !open.has(name)) return failure(denied);
  const full = session.writeError();
  const isRefused = (full?.startsWith("MISCONF") ? refusedOnDiskError : writes).has(name);
  if (full !== undefined && isRefused) return failure(full);
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!run) {
    const beginning = args.map((arg) => `'${arg}' `).join("");
    return failure(`ERR unknown command '${given}', with args beginning with: ${beginning}`);
  }
  const { data } = session.state;
  const reply = run(session, args);
  if (session.state.data !== data) session.append(words);
  const { calls } = session.state;
  const counted = families.has(name) ? `${name}|${(args[0] ?? "").toLowerCase()}` : name;
  session.state = { ...session.state, calls: { ...calls, [counted]: (calls[counted] ?? 0) + 1 } };
  return reply;
}

type Run = (session: RedisSession, args: readonly string[]) => RedisReply;

const wrongCount = (name: string): RedisReply =>
  failure(`ERR wrong number of arguments for '${name}' command`);

const auth: Run = (session, args) => {
  const [first, second] = args;
  if (first === undefined) return wrongCount("auth");
  const [user, password] = second === undefined ? ["default", first] : [first, second];
  if (second === undefined && session.state.users["default"]?.needsNoPassword)
    return failure(
      "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?",
    );
  const refused = redisLoginError(session.state, user, password);
  if (refused !== undefined) return failure(refused);
  session.user = user;
  return ok;
};

const put = (session: RedisSession, key: string, value: string): RedisReply => {
  const { data } = session.state;
  if (!Object.hasOwn(data, key) && Object.keys(data).length >= mostKeys)
    return failure("OOM command not allowed when used memory > 'maxmemory'.");
  session.state = { ...session.state, data: { ...data, [key]: value } };
  return ok;
};

const has = ({ state }: RedisSession, key: string): boolean => Object.hasOwn(state.data, key);

const remove: Run = (session, keys) => {
  const gone = keys.filter((key) => has(session, key));
  const left = Object.entries(session.state.data).filter(([key]) => !gone.includes(key));
  if (gone.length > 0) session.state = { ...session.state, data: Object.fromEntries(left) };
  return integer(gone.length);
};

const flush: Run = (session) => {
  session.state = { ...session.state, data: {} };
  return ok;
};

const client: Run = ({ clients, user = "default" }, [verb = ""]) => {
  if (verb.toLowerCase() === "id") return integer(clients.length + 3);
  if (verb.toLowerCase() === "getname") return nil;
  if (verb.toLowerCase() !== "list") return ok;
  const line = (id: number, address: string, cmd: string): string =>
    `id=${id} addr=${address} name= db=0 user=${user} cmd=${cmd}\n`;
  const others = clients.map(({ ip }, index) => line(index + 3, `${ip}:${40_000 + index}`, "get"));
  return bulk([...others, line(clients.length + 3, "127.0.0.1:50000", "client|list")].join(""));
};

const saved: Run = (session) => {
  session.save();
  return ok;
};

const commands: Readonly<Record<string, Run>> = {
  acl,
  auth,
  bgsave: (session) => {
    session.save();
    return { type: "status", text: "Background saving started" };
  },
  client,
  config,
  dbsize: ({ state }) => integer(Object.keys(state.data).length),
  del: remove,
  echo: (_, [text]) => (text === undefined ? wrongCount("echo") : bulk(text)),
  exists: (session, keys) => integer(keys.filter((key) => has(session, key)).length),
  flushall: flush,
  flushdb: flush,
  get: (session, [key]) =>
    key === undefined ? wrongCount("get") : has(session, key) ? bulk(session.state.data[key] ?? "") : nil,
  info,
  keys: ({ state }, [glob]) =>
    glob === undefined
      ? wrongCount("keys")
      : list(Object.keys(state.data).filter((key) => globMatches(glob, key))),
  lastsave: ({ now }) => integer(Math.floor(now / 1000)),
  ping: (_, [text]) => (text === undefined ? { type: "status", text: "PONG" } : bulk(text)),
  quit: () => ok,
  role: () => list(["master", "0"]),
  save: saved,
  scan: ({ state }) => ({ type: "list", items: [bulk("0"), list(Object.keys(state.data))] }),
  select: () => ok,
  set: (session, [key, value]) =>
    key === undefined || value === undefined ? wrongCount("set") : put(session, key, value),
  slowlog: () => list([]),
  time: ({ now }) => list([String(Math.floor(now / 1000)), String((now % 1000) * 1000)]),
  ttl: (session, [key = ""]) => integer(has(session, key) ? -1 : -2),
  type: (session, [key = ""]) => ({ type: "status", text: has(session, key) ? "string" : "none" }),
  unlink: remove,
};
