import { environments } from "@microremed/environments";
import {
  accountFor,
  datastoreMark,
  type MysqlAccount,
  mysqlServer,
  nativeHash,
  redisState,
  withPassword,
  writeMysql,
} from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { refusalOf } from "./datastore-calls.ts";
import { createTestbed, namespace, type Testbed } from "./testing/testbed.ts";

const trains = environments.get("train-ticket");
const boutique = environments.get("online-boutique");

/** A client and a server of a testbed, and what the server refuses of the client's calls. */
function callOf(testbed: Testbed, from: string, to: string, runtime: "mysql" | "redis") {
  const environment = runtime === "mysql" ? trains : boutique;
  const call = environment.workloads[from]?.calls.find((one) => one.to === to && one.protocol === runtime);
  if (!call) throw new Error(`${from} does not call ${to}`);
  const sandbox = testbed.pod(to);
  const container = sandbox.containers.values().find(({ behaviour }) => behaviour?.runtime === runtime);
  if (!container) throw new Error(`${to} has no ${runtime}`);
  const client = testbed.container(from);
  const refused = (address = call.address, env = client.env, changed: Partial<typeof call> = {}) =>
    refusalOf(testbed.machine, { ...call, ...changed }, address, env, testbed.pod(from), {
      sandbox,
      container,
    });
  return { call, sandbox, container, client, refused };
}

const order = "ts-order-service";
const database = "tsdb-mysql";

/** The account of the programs, changed on the server. */
function changeAccount(
  testbed: Testbed,
  change: (account: MysqlAccount) => Partial<MysqlAccount> | undefined,
): void {
  const { sandbox, container } = callOf(testbed, order, database, "mysql");
  const server = mysqlServer(testbed.machine, sandbox, container);
  const { MYSQL_USER: user } = container.env;
  const accounts = server.state.accounts.flatMap((one) => {
    if (one.user !== user) return [one];
    const changed = change(one);
    return changed ? [{ ...one, ...changed }] : [];
  });
  writeMysql(testbed.machine, server, { ...server.state, accounts });
}

test("a MySQL server as its image made it refuses none of its clients", () => {
  using testbed = createTestbed(trains);
  expect(callOf(testbed, order, database, "mysql").refused()).toBeUndefined();
});

test.each<
  [what: string, change: (account: MysqlAccount) => Partial<MysqlAccount> | undefined, words: RegExp]
>([
  [
    "an account that is not there",
    () => undefined,
    /^Access denied for user '\w+'@'10\.0\.[\d.]+' \(using password: YES\)$/,
  ],
  [
    "another password",
    () => ({ hash: nativeHash("other") }),
    /^Access denied for user .* \(using password: YES\)$/,
  ],
  ["an account for another host", () => ({ host: "192.168.7.%" }), /^Access denied for user /],
  ["a locked account", () => ({ locked: true }), /Account is locked/],
  ["no rights on the database", () => ({ grants: [] }), /^Access denied for user .* to database '\w+'$/],
  [
    "no right to read",
    ({ grants }) => ({ grants: grants.map(({ on }) => ({ on, privileges: ["INSERT"] })) }),
    /^SELECT command denied to user /,
  ],
])("%s: every call is refused, in the server's words", (_what, change, words) => {
  using testbed = createTestbed(trains);
  changeAccount(testbed, change);
  const refusal = callOf(testbed, order, database, "mysql").refused();
  expect(refusal?.message).toMatch(words);
  expect(refusal?.share).toBe(1);
});

test("an account that may only read: the calls that write are refused, and no other", () => {
  using testbed = createTestbed(trains);
  changeAccount(testbed, ({ grants }) => ({
    grants: grants.map(({ on }) => ({ on, privileges: ["SELECT"] })),
  }));
  const { refused, call, client } = callOf(testbed, order, database, "mysql");
  expect(refused(call.address, client.env, { writeShare: 0.4 })).toMatchObject({
    share: 0.4,
    message: /^INSERT command denied/,
  });
  expect(refused(call.address, client.env, { writeShare: 0 })?.share).toBe(0);
});

test("a variable that a program does not have is an empty password", () => {
  using testbed = createTestbed(trains);
  const { refused, call } = callOf(testbed, order, database, "mysql");
  expect(refused(call.address, {})).toMatchObject({ share: 1, message: /\(using password: NO\)$/ });
});

test("of several accounts of a user, the one with the most exact host counts", () => {
  using testbed = createTestbed(trains);
  const { sandbox, container, refused } = callOf(testbed, order, database, "mysql");
  const server = mysqlServer(testbed.machine, sandbox, container);
  const { MYSQL_USER: user = "" } = container.env;
  const { ip } = testbed.pod(order);
  const wide = accountFor(server.state, user, ip);
  if (!wide) throw new Error("there is no account");
  const exact = { ...wide, host: ip, hash: nativeHash("other") };
  writeMysql(testbed.machine, server, { ...server.state, accounts: [...server.state.accounts, exact] });
  expect(refused()?.message).toContain("Access denied");
});

test("clients that come when all connections are taken are refused; those before keep theirs", () => {
  using testbed = createTestbed(trains);
  for (const ordinal of [1, 2]) testbed.machine.sandboxes.delete(`${database}-${ordinal}`);
  testbed.run(30);
  const failed = () =>
    testbed.physics
      .edges(namespace)
      .filter(({ to, successRatio }) => to.startsWith(database) && successRatio < 0.5).length;
  expect(failed()).toBe(0);
  const { container } = callOf(testbed, order, database, "mysql");
  container.datastore = { type: "mysql", variables: { max_connections: "25" } };
  testbed.restart(order);
  testbed.run(30);
  const all = testbed.physics.edges(namespace).filter(({ to }) => to.startsWith(database)).length;
  expect(failed()).toBeGreaterThan(0);
  expect(failed()).toBeLessThan(all);
});

const cache = "redis-cart";

test("a Redis without a password serves all; one with a password refuses who has none, or another", () => {
  using testbed = createTestbed(boutique);
  const { container, sandbox, refused, call } = callOf(testbed, "cartservice", cache, "redis");
  expect(refused()).toBeUndefined();
  container.datastore = withPassword(redisState(sandbox, container), "s3cret");
  expect(refused()).toEqual({ share: 1, message: "NOAUTH Authentication required." });
  expect(refused(`${call.address},password=wrong`)?.message).toMatch(/^WRONGPASS/);
  expect(refused(`${call.address},password=s3cret,user=nobody`)?.message).toMatch(/^WRONGPASS/);
  expect(refused(`${call.address},abortConnect=false,password=s3cret`)).toBeUndefined();
});

test("a Redis whose memory is full refuses what writes, unless it may evict", () => {
  using testbed = createTestbed(boutique);
  const { container, sandbox, refused, call, client } = callOf(testbed, "cartservice", cache, "redis");
  const state = redisState(sandbox, container);
  const limit = (maxmemory: string, policy = "noeviction") => {
    container.datastore = { ...state, config: { ...state.config, maxmemory, "maxmemory-policy": policy } };
  };
  const writing = (writeShare: number) => refused(call.address, client.env, { writeShare });
  limit("500000");
  expect(writing(0.25)).toMatchObject({ share: 0.25, message: /^OOM command not allowed/ });
  limit("500000", "allkeys-lru");
  expect(writing(0.25)?.share).toBe(0.25);
  limit("2000000");
  expect(writing(0.25)).toBeUndefined();
});

test("a Redis whose append-only file has no room refuses what writes, and what is known of it changes", () => {
  using testbed = createTestbed(boutique);
  const { container, sandbox, refused, call, client } = callOf(testbed, "cartservice", cache, "redis");
  const state = redisState(sandbox, container);
  const writing = () => refused(call.address, client.env, { writeShare: 0.25 });
  const volume = sandbox.volumes.get("redis-data");
  if (!volume) throw new Error("no volume");
  volume.capacity = 4_000;
  expect(writing(), "it keeps no such file").toBeUndefined();
  container.datastore = { ...state, config: { ...state.config, appendonly: "yes" } };
  expect(writing()).toMatchObject({ share: 0.25, message: /^MISCONF .*No space left on device$/ });
  const full = datastoreMark(sandbox, container);
  expect(datastoreMark(sandbox, container)).toBe(full);
  volume.capacity = 8_192;
  expect(writing()).toBeUndefined();
  expect(datastoreMark(sandbox, container)).not.toBe(full);
});

test("a call of another protocol, or to a program that is no datastore, is refused nothing", () => {
  using testbed = createTestbed(boutique);
  const { refused, call, client } = callOf(testbed, "cartservice", cache, "redis");
  expect(refused(call.address, client.env, { protocol: "http" })).toBeUndefined();
});
