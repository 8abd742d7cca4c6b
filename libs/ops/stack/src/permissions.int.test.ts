import { connectNatsBus } from "@microremed/bus/nats";
import { permissions, subjects, type User, users } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import {
  generatePasswords,
  type RunningServer,
  startNatsServer,
  startRedisServer,
} from "@microremed/servers";
import { newToken } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";

// What services must be able to do is what every other test of a stack does: it runs with these users. Here is what
// they must not.

const passwords = generatePasswords();
const resources = new AsyncDisposableStack();
let nats: RunningServer;
let redis: RunningServer;

beforeAll(async () => {
  nats = resources.use(await startNatsServer({ passwords }));
  redis = resources.use(await startRedisServer({ passwords }));
  const admin = { user: "admin", password: passwords.admin };
  await using bus = await connectNatsBus({ servers: nats.url, ...admin, name: "test", log: silentLogger });
  await bus.ensureStreams();
  await using client = await redisAs("admin");
  await client.hset("microremed:arena:c/0", { fence: 7, episode: "exp.0001" });
  await client.set("microremed:result:exp.0001/1/1/grade", "{}");
});

afterAll(() => resources.disposeAsync());

/** A connection, and what the server has refused it. */
async function natsAs(user: User) {
  const connection = await connect({
    servers: nats.url,
    user,
    pass: passwords[user],
    inboxPrefix: permissions[user].nats.subscribe[0]?.replace(".>", "") ?? "_INBOX",
    reconnect: false,
  });
  const refused: string[] = [];
  void (async () => {
    for await (const status of connection.status())
      if (status.type === "error") refused.push(status.error.message);
  })();
  return { connection, refused, [Symbol.asyncDispose]: () => connection.close() };
}

async function redisAs(user: User) {
  const url = new URL(redis.url);
  url.username = user;
  url.password = passwords[user];
  const client = new Redis(url.href, { lazyConnect: true });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: async () => void (await client.quit()) });
}

async function refusalsOf(user: User, act: (connection: NatsConnection) => void): Promise<string[]> {
  await using one = await natsAs(user);
  act(one.connection);
  await one.connection.flush();
  await one.connection.flush();
  return one.refused;
}

const command = "microremed.commands.act.c";
const forbidden: readonly (readonly [User, "publish" | "subscribe", string])[] = [
  // Work for others, and other services' results.
  ["remediator", "publish", command],
  ["executor", "publish", "microremed.commands.grade.c"],
  ["remediator", "publish", "microremed.results.act"],
  ["remediator", "publish", "microremed.results.grade"],
  ["executor", "publish", "microremed.results.grade"],
  ["verifier", "publish", "microremed.results.restore"],
  ["injector", "publish", "microremed.results.solve"],
  ["client", "publish", "microremed.results.grade"],
  ["client", "publish", command],
  // The gateway is what strangers reach: it can ask no cluster, settle no work, and read no queue.
  ["gateway", "publish", "microremed.rpc.probe.c"],
  ["gateway", "publish", command],
  ["gateway", "publish", "microremed.results.solve"],
  ["gateway", "publish", "microremed.rpc.release"],
  ["gateway", "publish", "$JS.API.CONSUMER.CREATE.COMMANDS_REMEDIATOR.x"],
  ["gateway", "subscribe", "microremed.commands.>"],
  ["gateway", "subscribe", "_INBOX.>"],
  // What only the scheduler says.
  ["verifier", "publish", "microremed.events.exp.-.experiment-finished"],
  ["client", "publish", "microremed.events.exp.-.experiment-finished"],
  ["scheduler", "publish", "microremed.results.grade"],
  // Another's name, or requests in a client's.
  ["executor", "publish", "microremed.deadletters.verifier"],
  ["executor", "publish", subjects.submit],
  ["executor", "publish", subjects.cancel],
  // Others' replies, commands and probes: to hear them, or to answer in place of another.
  ["remediator", "subscribe", "_INBOX_executor.>"],
  ["executor", "subscribe", "_INBOX_remediator.>"],
  ["client", "subscribe", "_INBOX_scheduler.>"],
  ["verifier", "subscribe", "_INBOX.>"],
  ["verifier", "subscribe", ">"],
  ["remediator", "subscribe", "microremed.>"],
  ["remediator", "subscribe", command],
  ["remediator", "subscribe", "microremed.rpc.probe.c"],
  ["client", "subscribe", subjects.conversationQuery],
  // Outside of the queue it would hear what other replicas answer.
  ["executor", "subscribe", "microremed.rpc.probe.c"],
  ["executor", "publish", "_INBOX_remediator.x"],
  ["executor", "publish", "_INBOX.x"],
  // Streams, and consumers of other services' streams.
  ["scheduler", "publish", "$JS.API.STREAM.DELETE.EVENTS"],
  ["executor", "publish", "$JS.API.STREAM.PURGE.COMMANDS_EXECUTOR"],
  ["executor", "publish", "$JS.API.STREAM.CREATE.MINE"],
  ["injector", "publish", "$JS.API.STREAM.UPDATE.RESULTS"],
  ["client", "publish", "$JS.API.STREAM.PURGE.DEADLETTERS"],
  ["client", "publish", "$JS.API.STREAM.MSG.DELETE.EVENTS"],
  ["client", "publish", "$JS.API.STREAM.MSG.GET.COMMANDS_REMEDIATOR"],
  ["executor", "publish", "$JS.API.CONSUMER.MSG.NEXT.COMMANDS_VERIFIER.verifier-commands_grade_c"],
  ["executor", "publish", "$JS.API.CONSUMER.CREATE.COMMANDS_INJECTOR.x.microremed.commands.inject.c"],
  ["executor", "publish", "$JS.API.CONSUMER.DELETE.COMMANDS_VERIFIER.x"],
  ["executor", "publish", "$JS.ACK.COMMANDS_INJECTOR.x.1.1.1.1.0"],
  ["client", "publish", "$JS.API.CONSUMER.CREATE.RESULTS.x"],
  ["client", "publish", "$SYS.REQ.SERVER.PING"],
];

test.each(forbidden)("NATS refuses %s to %s %s", async (user, act, subject) => {
  const refused = await refusalsOf(user, (connection) => {
    if (act === "publish") connection.publish(subject, "{}");
    else connection.subscribe(subject);
  });
  expect(refused.join()).toMatch(/permissions violation/i);
});

test("a request may be answered, once, where it came from", async () => {
  await using executor = await natsAs("executor");
  await using remediator = await natsAs("remediator");
  const requests = executor.connection.subscribe("microremed.rpc.probe.c", { queue: "executor" });
  void (async () => {
    for await (const request of requests) {
      request.respond("one");
      request.respond("two");
    }
  })();
  await executor.connection.flush();
  const reply = await remediator.connection.request("microremed.rpc.probe.c", "{}");
  expect(reply.string()).toBe("one");
  await expect.poll(() => executor.refused.join()).toMatch(/permissions violation/i);
});

test("neither server lets anybody in without a name and its password", async () => {
  await expect(connect({ servers: nats.url, reconnect: false })).rejects.toThrow(/authorization/i);
  const wrong = { user: "executor", pass: passwords.remediator, reconnect: false };
  await expect(connect({ servers: nats.url, ...wrong })).rejects.toThrow(/authorization/i);
  const options = { lazyConnect: true, enableReadyCheck: false };
  const client = new Redis(redis.port, "127.0.0.1", options);
  client.on("error", () => {});
  await expect(client.get("microremed:arenas")).rejects.toThrow(/NOAUTH/);
  client.disconnect();
  await using admin = await redisAs("admin");
  expect(await admin.acl("USERS")).toEqual([
    "admin",
    "default",
    "executor",
    "gateway",
    "injector",
    "remediator",
    "scheduler",
    "verifier",
  ]);
  expect(await admin.acl("GETUSER", "default")).toContainEqual(["off", "sanitize-payload"]);
});

const services = users.filter((user) => user !== "admin" && user !== "client");
const dangerous: readonly (readonly [string, ...string[]])[] = [
  ["FLUSHALL"],
  ["FLUSHDB"],
  ["CONFIG", "GET", "*"],
  ["CONFIG", "SET", "dir", "/tmp"],
  ["KEYS", "*"],
  ["SCAN", "0"],
  ["ACL", "LIST"],
  ["MONITOR"],
  ["CLIENT", "LIST"],
  ["SAVE"],
  ["SHUTDOWN"],
  ["MODULE", "LIST"],
  ["REPLICAOF", "127.0.0.1", "1"],
  ["SCRIPT", "FLUSH"],
  ["FUNCTION", "LIST"],
  ["MIGRATE", "127.0.0.1", "1", "k", "0", "1"],
  ["PUBLISH", "c", "x"],
  ["SUBSCRIBE", "c"],
  ["SET", "somebody:else", "1"],
  ["GET", "somebody:else"],
];

test.each(services)("Redis refuses %s what is dangerous, and the keys of others", async (user) => {
  await using client = await redisAs(user);
  for (const [name, ...words] of dangerous) {
    const answer = await client.call(name, ...words).then(String, String);
    expect([name, answer]).toEqual([name, expect.stringContaining("NOPERM")]);
  }
  // A script can do no more than who runs it.
  const script = "return redis.call('GET', 'somebody:else')";
  await expect(client.eval(script, 0)).rejects.toThrow(/NOPERM|can't access|No permissions/i);
  await expect(client.eval("return redis.call('KEYS', '*')", 0)).rejects.toThrow(/NOPERM|can't|not allowed/i);
});

const keys: readonly (readonly [User, readonly [string, ...string[]]])[] = [
  ["executor", ["SET", "microremed:result:exp.0001/1/1/grade", "{}"]],
  ["executor", ["GET", "microremed:result:exp.0001/1/1/grade"]],
  ["executor", ["SET", "microremed:claim:exp.0001/1/1/restore", "me"]],
  ["executor", ["HSET", "microremed:arena:c/0", "fence", "8"]],
  ["executor", ["DEL", "microremed:arena:c/0"]],
  ["executor", ["HGET", "microremed:episode:exp.0001", "body"]],
  ["executor", ["LRANGE", "microremed:conversation:exp.0001/1", "0", "-1"]],
  ["remediator", ["SET", "microremed:result:exp.0001/1/1/act", "{}"]],
  ["remediator", ["HSET", "microremed:episode:exp.0001", "body", "{}"]],
  ["verifier", ["HSET", "microremed:experiment:exp", "record", "{}"]],
  ["injector", ["ZADD", "microremed:outbox:order", "1", "1"]],
  ["injector", ["SADD", "microremed:arenas:free", "c/0"]],
  ["gateway", ["SET", "microremed:token:aaaaaaaaaa", "{}"]],
  ["gateway", ["SADD", "microremed:tokens", "aaaaaaaaaa"]],
  ["gateway", ["HGET", "microremed:episode:exp.0001", "body"]],
  ["gateway", ["LRANGE", "microremed:conversation:exp.0001/1", "0", "-1"]],
  ["executor", ["GET", "microremed:token:aaaaaaaaaa"]],
  ["scheduler", ["RPUSH", "microremed:conversation:exp.0001/1", "{}"]],
  ["scheduler", ["SET", "microremed:result:exp.0001/1/1/grade", "{}"]],
];

test.each(keys)("Redis refuses %s %j", async (user, [name, ...words]) => {
  await using client = await redisAs(user);
  await expect(client.call(name, ...words)).rejects.toThrow(/NOPERM/);
});

test("the gateway counts the requests of a token, which only the admin can store", async () => {
  const connectAs = (user: User) => {
    const url = new URL(redis.url);
    url.username = user;
    url.password = passwords[user];
    return connectRedisState({ url: url.href, log: silentLogger });
  };
  await using admin = await connectAs("admin");
  await using gateway = await connectAs("gateway");
  const { id, secretHash } = newToken();
  const limits = {
    expiresAt: null,
    requestsPerMinute: 60,
    mostSessions: 1,
    problemsPerHour: 100_000,
    opens: true,
  } as const;
  const token = { id, secretHash, scope: "agent", name: "checker", createdAt: 1, ...limits } as const;
  await expect(gateway.tokens.put(token)).rejects.toThrow(/EXECABORT/);
  await admin.tokens.put(token);
  expect(await gateway.tokens.use(id, secretHash)).toEqual({ status: "ok", token });
  expect(await gateway.tokens.list()).toEqual([token]);
  await expect(gateway.tokens.revoke(id)).rejects.toThrow(/EXECABORT/);
  expect(await gateway.tokens.use(id, secretHash)).toMatchObject({ status: "ok" });
});

test("a service reads the fence of an arena", async () => {
  await using client = await redisAs("executor");
  expect(await client.hget("microremed:arena:c/0", "fence")).toBe("7");
  await client.set("microremed:result:exp.0001/1/1/act", "{}");
});

test("the scheduler may read claims and results, and change neither", async () => {
  await using client = await redisAs("scheduler");
  for (const kind of ["claim", "result"]) {
    const key = `microremed:${kind}:exp.0000/1/1/act`;
    await expect(client.exists(key)).resolves.toBe(0);
    await expect(client.get(key)).resolves.toBeNull();
    await expect(client.set(key, "x")).rejects.toThrow(/NOPERM|No permissions/);
  }
});
