import { createHash } from "node:crypto";
import { fileAt, locate } from "./layers.ts";
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
  save: "3600 1 300 100 60 10000",
  dir: "/data",
};

/** Hexadecimal, as `ACL LIST` shows passwords. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The server in a container. */
export function redisState(sandbox: PodSandbox, container: ContainerRuntime): RedisState {
  if (container.datastore?.type === "redis") return container.datastore;
  const { user: accounts = "", ...options } = optionsOf(sandbox, container);
  const config = { ...defaults, ...options };
  const dump = fileAt(locate(sandbox, container, dumpFile));
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
export function redisWriteError(state: RedisState): string | undefined {
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
