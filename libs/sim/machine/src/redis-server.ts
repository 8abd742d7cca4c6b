import { createHash } from "node:crypto";
import { lengthOf, longFile } from "./file-tree.ts";
import { fileAt, type Located, locate } from "./layers.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";
import { packState, unpackState } from "./packed-state.ts";

/** A user of Redis' access control lists. */
export interface RedisUser {
  readonly isOn: boolean;
  readonly needsNoPassword: boolean;
  /** SHA-256 of its passwords, as `ACL LIST` shows them. */
  readonly passwords: readonly string[];
  /** Rules for keys, channels and commands, e.g. `~* &* +@all`. */
  readonly rules: string;
}

/** What a running Redis holds in memory: lost when it ends, but for `SAVE` and what its command line says. */
export interface RedisState {
  readonly type: "redis";
  readonly config: Readonly<Record<string, string>>;
  readonly users: Readonly<Record<string, RedisUser>>;
  readonly data: Readonly<Record<string, string>>;
  /** How often each command was run, since the server began or `CONFIG RESETSTAT`. */
  readonly calls: Readonly<Record<string, number>>;
}

const dumpFile = "/data/dump.rdb";
const appendOnly = "appendonlydir/appendonly.aof";
/** What version 7 has in its folder when it begins to keep its writes: the last is for the commands from then on. */
const appendOnlyFiles: Readonly<Record<string, string>> = {
  [`${appendOnly}.manifest`]: [
    "file appendonly.aof.1.base.rdb seq 1 type b",
    "file appendonly.aof.1.incr.aof seq 1 type i",
    "",
  ].join("\n"),
  [`${appendOnly}.1.base.rdb`]: "REDIS0010\u00fa\tredis-ver\u00057.0.4\u00ff",
  [`${appendOnly}.1.incr.aof`]: "",
};
/** What an empty server of version 7 takes, bytes. */
const emptyBytes = 900_000;
/** What a key takes besides its name and value, bytes. */
const keyBytes = 56;

const defaults: Readonly<Record<string, string>> = {
  port: "6379",
  requirepass: "",
  maxmemory: "0",
  "maxmemory-policy": "noeviction",
  maxclients: "10000",
  timeout: "0",
  appendonly: "no",
  "auto-aof-rewrite-percentage": "100",
  appendfsync: "everysec",
  save: "3600 1 300 100 60 10000",
  "stop-writes-on-bgsave-error": "yes",
  dir: "/data",
};

/** Hexadecimal, as `ACL LIST` shows passwords. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The server in a container. */
export function redisState(sandbox: PodSandbox, container: ContainerRuntime): RedisState {
  if (container.datastore?.type === "redis") return container.datastore;
  const { user: accounts = "", ...options } = optionsOf(sandbox, container);
  const config = { ...defaults, ...options };
  const kept = config["appendonly"] === "yes" ? keptWrites(sandbox, container, config) : undefined;
  const dump = kept ?? fileAt(locate(sandbox, container, dumpFile));
  const initial = withPassword(
    {
      type: "redis",
      config,
      users: { default: { isOn: true, needsNoPassword: true, passwords: [], rules: "~* &* +@all" } },
      data: (dump && unpackState<RedisState["data"]>(dump)) ?? {},
      calls: {},
    },
    config["requirepass"] ?? "",
  );
  const state = accounts.split("\n").filter(Boolean).reduce(withAccount, initial);
  container.datastore = state;
  return state;
}

/** `SAVE`: the data set as a file, which outlives the server where the folder does. */
export function saveRedis(sandbox: PodSandbox, container: ContainerRuntime): void {
  const { tree, key } = locate(sandbox, container, dumpFile);
  tree.set(key, packState(redisState(sandbox, container).data));
}

const keptAt = (
  sandbox: PodSandbox,
  container: ContainerRuntime,
  config: RedisState["config"],
  file = `${appendOnly}.1.incr.aof`,
): Located => locate(sandbox, container, `${config["dir"]}/${file}`);

/** The file with the writes that were kept; undefined: there was none, and now there is one if there is room. */
function keptWrites(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  config: RedisState["config"],
): Uint8Array | undefined {
  const known = fileAt(keptAt(sandbox, container, config));
  if (known) return known.byteLength > 0 ? known : undefined;
  for (const [file, content] of Object.entries(appendOnlyFiles)) {
    const { tree, key } = keptAt(sandbox, container, config, file);
    const bytes = Buffer.from(content);
    if (tree.free >= bytes.byteLength) tree.set(key, bytes);
  }
  return undefined;
}

/** The protocol's form of a command, bytes, about. */
const commandBytes = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + Buffer.byteLength(word) + 10, 8);

/** Writes a command that has changed the data set to the append-only file, if the server keeps one. */
export function appendCommand(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  state: RedisState,
  words: readonly string[],
): void {
  if (state.config["appendonly"] !== "yes") return;
  const { tree, key } = keptAt(sandbox, container, state.config);
  const old = tree.get(key);
  const bytes = (old ? lengthOf(old) : 0) + commandBytes(words);
  tree.set(key, longFile(packState(state.data), bytes));
}

/** A write to the append-only file needs a block of its file system, bytes, now or soon. */
const blockBytes = 4096;

/** Whether there is no room for the append-only file of a server to grow. */
export function isAppendStuck(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  { config }: RedisState,
): boolean {
  return config["appendonly"] === "yes" && keptAt(sandbox, container, config).tree.free < blockBytes;
}

/** A user without any rule. */
export const blankRedisUser: RedisUser = {
  isOn: false,
  needsNoPassword: false,
  passwords: [],
  rules: "-@all",
};

/** A user after one more rule of `ACL SETUSER`. */
export function withRedisRule(user: RedisUser, rule: string): RedisUser {
  const { passwords } = user;
  if (rule === "on" || rule === "off") return { ...user, isOn: rule === "on" };
  if (rule === "nopass") return { ...user, needsNoPassword: true, passwords: [] };
  if (rule === "resetpass") return { ...user, needsNoPassword: false, passwords: [] };
  if (rule === "reset") return blankRedisUser;
  if (rule.startsWith(">"))
    return { ...user, needsNoPassword: false, passwords: [...passwords, sha256(rule.slice(1))] };
  if (rule.startsWith("<"))
    return { ...user, passwords: passwords.filter((one) => one !== sha256(rule.slice(1))) };
  return { ...user, rules: `${user.rules} ${rule}` };
}

/** The server with a user as its configuration lists it: a name, and the rules from none on. */
function withAccount(state: RedisState, line: string): RedisState {
  const [name = "", ...rules] = line.split(" ");
  return { ...state, users: { ...state.users, [name]: rules.reduce(withRedisRule, blankRedisUser) } };
}

/** The server with this password of the default user; empty: it needs none. */
export function withPassword(state: RedisState, password: string): RedisState {
  const user = state.users["default"] ?? { isOn: true, rules: "~* &* +@all" };
  const passwords = password === "" ? [] : [sha256(password)];
  return {
    ...state,
    config: { ...state.config, requirepass: password },
    users: { ...state.users, default: { ...user, passwords, needsNoPassword: password === "" } },
  };
}

/** Why a server refuses a client with these credentials, in its words; undefined: it does not. */
export function redisLoginError(
  { users }: RedisState,
  user: string | undefined,
  password: string | undefined,
): string | undefined {
  const account = users[user ?? "default"];
  if (password === undefined)
    return users["default"]?.needsNoPassword && users["default"].isOn
      ? undefined
      : "NOAUTH Authentication required.";
  const right = account?.isOn && (account.needsNoPassword || account.passwords.includes(sha256(password)));
  return right ? undefined : "WRONGPASS invalid username-password pair or user is disabled.";
}

/** Why a server takes no writes; undefined: it takes them. */
export function redisWriteError(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  state: RedisState,
): string | undefined {
  return isAppendStuck(sandbox, container, state)
    ? "MISCONF Errors writing to the AOF file: No space left on device"
    : memoryError(state);
}

function memoryError(state: RedisState): string | undefined {
  const most = bytesOf(state.config["maxmemory"] ?? "0") ?? 0;
  if (most === 0 || usedMemory(state) <= most) return undefined;
  const evicts = /^allkeys/.test(state.config["maxmemory-policy"] ?? "") && most > emptyBytes;
  return evicts ? undefined : "OOM command not allowed when used memory > 'maxmemory'.";
}

/** `used_memory`, bytes. */
export function usedMemory({ data }: RedisState): number {
  let bytes = emptyBytes;
  for (const [key, value] of Object.entries(data)) bytes += keyBytes + key.length + value.length;
  return bytes;
}

/** Bytes of a size as Redis reads it: `100mb`, `1g`, `5000`. Undefined: it is none. */
export function bytesOf(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d+)([kmg]?b?)$/i.exec(text) ?? [];
  const units: Readonly<Record<string, number>> = {
    k: 1e3,
    m: 1e6,
    g: 1e9,
    kb: 1024,
    mb: 1024 ** 2,
    gb: 1024 ** 3,
  };
  return count === undefined ? undefined : Number(count) * (units[unit.toLowerCase()] ?? 1);
}

/** What its command line says, and the file that it names. */
function optionsOf(sandbox: PodSandbox, container: ContainerRuntime): Record<string, string> {
  const words = container.command.filter((word) => !/(^|\/)redis-server$/.test(word));
  const found: Record<string, string> = {};
  const [file] = words;
  if (file !== undefined && !file.startsWith("-")) {
    const content = fileAt(locate(sandbox, container, file));
    for (const line of content ? Buffer.from(content).toString().split("\n") : []) {
      const [, name, value] = /^\s*([a-z][\w-]*)\s+(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) found[name] = value.replace(/^"(.*)"$/, "$1");
    }
  }
  for (let at = 0; at < words.length; at++) {
    const name = /^--([\w-]+)$/.exec(words[at] ?? "")?.[1];
    if (name === undefined) continue;
    const values: string[] = [];
    while (at + 1 < words.length && !words[at + 1]?.startsWith("--")) values.push(words[++at] ?? "");
    const value = values.join(" ");
    // Of users there may be several, each a line.
    if (name === "user") found[name] = [found[name], value].filter(Boolean).join("\n");
    else found[name] = name === "maxmemory" ? String(bytesOf(value) ?? 0) : value;
  }
  return found;
}
