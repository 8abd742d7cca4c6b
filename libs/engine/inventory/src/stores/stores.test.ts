import { Behaviour } from "@microremed/catalogue/environment";
import { expect, test } from "vitest";
import { mongoStore } from "./mongo-store.ts";
import { mysqlStore } from "./mysql-store.ts";
import { postgresStore } from "./postgres-store.ts";
import { storeKinds, unaskedStores } from "./read-stores.ts";
import { redisStore } from "./redis-store.ts";
import { storeFindings } from "./store-findings.ts";
import type { StoreKind, StoreState } from "./store-state.ts";

const redis: StoreState = {
  settings: { maxclients: "10000", maxmemory: "0", save: "3600 1", "slowlog-max-len": "128", pidfile: "/a" },
  logins: { default: "on nopass" },
  rights: { default: ["~* +@all"] },
  databases: [],
  calls: { all: 10, emptied: 0, reset: 0 },
};
const mysql: StoreState = {
  settings: { max_connections: "151", sql_mode: "STRICT", hostname: "a", read_only: "OFF" },
  logins: { "shop@%": "N *AB" },
  rights: { "shop@%": ["SELECT ON shop.*", "INSERT ON shop.*"] },
  databases: ["mysql", "shop"],
};

const classes = (kind: StoreKind, before: StoreState, now: Partial<StoreState>, hadFault = false): string[] =>
  storeFindings(kind, before, { ...before, ...now }, hadFault).map((found) => found.class);
const set = (before: StoreState, settings: Record<string, string>): Partial<StoreState> => ({
  settings: { ...before.settings, ...settings },
});

test("a server that has in force what it had is as it was", () => {
  expect(classes(redisStore, redis, { calls: { all: 900, emptied: 0, reset: 0 } })).toEqual([]);
  expect(classes(mysqlStore, mysql, {})).toEqual([]);
});

test("every setting that is not each replica's own breaks the server, but for more room and for what is written down", () => {
  for (const name of ["maxclients", "save"])
    expect(classes(redisStore, redis, set(redis, { [name]: "2" }))).toEqual(["breaks"]);
  expect(classes(redisStore, redis, set(redis, { maxclients: "20000" }))).toEqual(["changed"]);
  expect(classes(redisStore, redis, set(redis, { maxmemory: "1000" }))).toEqual(["breaks"]);
  const limited = { ...redis, ...set(redis, { maxmemory: "1000" }) };
  expect(classes(redisStore, limited, set(redis, { maxmemory: "0" }))).toEqual(["changed"]);
  expect(classes(redisStore, redis, set(redis, { "slowlog-max-len": "1" }))).toEqual(["changed"]);
  expect(classes(redisStore, redis, set(redis, { pidfile: "/b" }))).toEqual([]);
  expect(classes(mysqlStore, mysql, set(mysql, { sql_mode: "" }))).toEqual(["breaks"]);
  expect(classes(mysqlStore, mysql, set(mysql, { max_connections: "9" }))).toEqual(["breaks"]);
  expect(classes(mysqlStore, mysql, set(mysql, { hostname: "b", read_only: "ON" }))).toEqual([]);
  // A setting that is not answered any more is not as it was.
  expect(classes(mysqlStore, mysql, { settings: { max_connections: "151" } })).toEqual(["breaks"]);
});

test("what the arguments give a Redis is read as the server prints it", () => {
  expect(
    redisStore.settingsIn?.(["--save", "--maxclients", "2088", "--maxmemory", "64mb", "--hz", "2k"]),
  ).toEqual({ maxclients: "2088", maxmemory: String(64 * 1024 ** 2), hz: "2000" });
});

const account = (rights: readonly string[]): Partial<StoreState> => ({ rights: { "shop@%": rights } });

test("accounts lose nothing; what they gain, and new ones, are rights that were not there", () => {
  expect(classes(mysqlStore, mysql, { logins: {} })).toEqual(["breaks"]);
  expect(classes(mysqlStore, mysql, { logins: { "shop@%": "Y *AB" } })).toEqual(["breaks"]);
  expect(classes(mysqlStore, mysql, account(["SELECT ON shop.*"]))).toEqual(["breaks"]);
  expect(classes(mysqlStore, mysql, account([...(mysql.rights["shop@%"] ?? []), "DROP ON shop.*"]))).toEqual([
    "privilege",
  ]);
  expect(classes(mysqlStore, mysql, account(["ALL PRIVILEGES ON *.*"]))).toEqual(["privilege"]);
  expect(classes(mysqlStore, mysql, { logins: { ...mysql.logins, "x@%": "N *C" } })).toEqual(["privilege"]);
  expect(classes(redisStore, redis, { logins: { default: "off nopass" } })).toEqual(["breaks"]);
  expect(classes(redisStore, redis, { rights: { default: ["~* +@all -set"] } })).toContain("breaks");
});

test("where the fault was in the accounts, another password or fewer rights may be a repair", () => {
  expect(classes(mysqlStore, mysql, { logins: { "shop@%": "N *CD" } }, true)).toEqual(["allowed"]);
  expect(classes(mysqlStore, mysql, account(["SELECT ON shop.*"]), true)).toEqual(["allowed"]);
  expect(classes(mysqlStore, mysql, account(["ALL PRIVILEGES ON *.*"]), true)).toEqual(["privilege"]);
});

test("databases stay, and a process that has emptied itself has lost what it kept", () => {
  expect(classes(mysqlStore, mysql, { databases: ["mysql"] })).toEqual(["breaks"]);
  expect(classes(mysqlStore, mysql, { databases: ["mysql", "shop", "notes"] })).toEqual(["foreign"]);
  expect(classes(redisStore, redis, { calls: { all: 11, emptied: 1, reset: 0 } })).toEqual(["breaks"]);
  expect(classes(redisStore, redis, { calls: { all: 2, emptied: 0, reset: 0 } })).toEqual(["changed"]);
  expect(classes(redisStore, redis, { calls: { all: 90, emptied: 0, reset: 1 } })).toEqual(["changed"]);
  const ownDoing = { ...redis, calls: { all: 10, emptied: 1, reset: 0 } };
  expect(classes(redisStore, ownDoing, { calls: { all: 20, emptied: 3, reset: 0 } })).toEqual([]);
});

test("a server that refuses its own client is not as it was, and nothing secret is said of one that is not", () => {
  expect(storeFindings(redisStore, redis, { refused: "NOAUTH Authentication required." })).toMatchObject([
    { class: "breaks" },
  ]);
  const said = storeFindings(mysqlStore, mysql, { ...mysql, logins: { "shop@%": "N *SECRET" } });
  expect(JSON.stringify(said)).not.toContain("SECRET");
});

test("a server that cannot be reached says nothing of itself; one that refuses does", () => {
  const redisSays = (text: string) => redisStore.read(`@settings\n${text}\n@accounts\n@calls\n`);
  expect(redisSays("Could not connect to Redis at 127.0.0.1:6379: Connection refused")).toBeUndefined();
  expect(redisSays("ERR max number of clients reached")).toEqual({
    refused: "ERR max number of clients reached",
  });
  const mysqlSays = (text: string) => mysqlStore.read(`@settings\n${text}\n@databases\n@accounts\n`);
  expect(mysqlSays("ERROR 2002 (HY000): Can't connect to local MySQL server")).toBeUndefined();
  expect(mysqlSays("ERROR 1045 (28000): Access denied for user 'root'@'localhost'")).toMatchObject({
    refused: expect.stringContaining("1045"),
  });
});

const mongoLines = (...lines: readonly unknown[]): string =>
  `@state\nError: command find requires authentication\n@state\n${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
const clerk = {
  ...{ user: "clerk", db: "admin", credentials: { "SCRAM-SHA-256": { storedKey: "SECRET" } } },
  roles: [{ role: "readWrite", db: "shop" }],
};
const mongoIn = (
  users: readonly unknown[],
  parameters: object = { notablescan: false, logLevel: 0, ok: 1 },
) => {
  const databases = { databases: [{ name: "admin" }, { name: "config" }, { name: "shop" }], ok: 1 };
  return mongoStore.read(mongoLines(users, [], databases, parameters)) as StoreState;
};

test("a MongoDB server is asked as each administrator that its scripts make, and its users, roles and parameters are compared", () => {
  const script = `mongo --eval "db.createUser({user: 'boss', pwd: 'it''s', roles: [{role: 'userAdminAnyDatabase', db: 'admin'}]})"`;
  const printed = `@scripts\n${script}\n@root\n\n\n@client\n/usr/bin/mongo\n`;
  expect(mongoStore.further?.(printed)).toContain("--port $PORT admin -u 'boss' -p 'it' --quiet");
  const before = mongoIn([clerk]);
  expect(before).toEqual({
    settings: { notablescan: "false", logLevel: "0", ok: "1" },
    logins: { "clerk@admin": '{"SCRAM-SHA-256":{"storedKey":"SECRET"}}' },
    rights: { "clerk@admin": ["readWrite ON shop"] },
    databases: ["shop"],
  });
  const found = (users: readonly unknown[], parameters?: object) =>
    storeFindings(mongoStore, before, mongoIn(users, parameters)).map((one) => one.class);
  expect(found([clerk])).toEqual([]);
  expect(classes(mongoStore, before, { databases: ["shop", "made by a write"] })).toEqual([]);
  expect(classes(mongoStore, before, { databases: [] })).toEqual(["breaks"]);
  expect(found([])).toEqual(["breaks"]);
  expect(found([{ ...clerk, roles: [] }])).toEqual(["breaks"]);
  expect(found([{ ...clerk, credentials: {} }])).toEqual(["breaks"]);
  expect(found([{ ...clerk, roles: [...clerk.roles, { role: "root", db: "admin" }] }])).toEqual([
    "privilege",
  ]);
  expect(found([clerk, { ...clerk, user: "helper" }])).toEqual(["privilege"]);
  expect(found([clerk], { notablescan: true, logLevel: 0, ok: 1 })).toEqual(["breaks"]);
  expect(found([clerk], { notablescan: false, logLevel: 5, ok: 1 })).toEqual(["changed"]);
  expect(mongoStore.read("@state\nError: Authentication failed. :\n")).toMatchObject({
    refused: expect.stringContaining("Authentication failed"),
  });
  expect(mongoStore.read("@state\nError: couldn't connect to server 127.0.0.1:27017\n")).toBeUndefined();
});

test("every datastore and broker that a model can name is asked, or it is said why not", () => {
  const stores = ["redis", "memcached", "mysql", "postgresql", "mongodb", "rabbitmq", "nats", "kafka"];
  const others = ["flagd", "nginx", "envoy", "xenon", "locust", "idle"];
  const languages = ["go", "java", "node", "python", "dotnet", "cpp", "php", "ruby", "rust", "elixir"];
  expect([...stores, ...others, ...languages].toSorted()).toEqual(
    [...Behaviour.shape.runtime.options].toSorted(),
  );
  expect([...Object.keys(storeKinds), ...Object.keys(unaskedStores)].toSorted()).toEqual(stores.toSorted());
});

test("a PostgreSQL server says its settings, its databases, and who may log in with what", () => {
  const says = (accounts: string, settings = "max_connections 100\nsearch_path a b") =>
    postgresStore.read(`@settings\n${settings}\n@databases\npostgres\nshop\n@accounts\n${accounts}\n`);
  expect(says("root t t md5a\nclerk f f ")).toEqual({
    settings: { max_connections: "100", search_path: "a b" },
    logins: { root: "t md5a", clerk: "f " },
    rights: { root: ["SUPERUSER"], clerk: [] },
    databases: ["shop"],
  });
  expect(says('psql: error: connection to server failed: FATAL:  role "x" does not exist', "")).toMatchObject(
    {
      refused: expect.stringContaining("FATAL"),
    },
  );
  expect(says("psql: error: connection failed: Connection refused", "")).toBeUndefined();
});
