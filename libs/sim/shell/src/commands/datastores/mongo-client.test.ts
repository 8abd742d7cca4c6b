import type { ContainerRuntime } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createShell } from "../../testing/create-shell.ts";

const running = (container: ContainerRuntime): Partial<ContainerRuntime> => ({
  ...(container.behaviour && {
    behaviour: { ...container.behaviour, runtime: "mongodb", tools: ["coreutils", "mongo"] },
  }),
  env: { MONGO_INITDB_ROOT_USERNAME: "root", MONGO_INITDB_ROOT_PASSWORD: "secret" },
});

function aMongo() {
  const { run } = createShell(running);
  const as = (user: string, password: string, script: string) =>
    run(["mongo", "admin", "-u", user, "-p", password, "--quiet", "--eval", script]);
  return { run, as, root: (script: string) => as("root", "secret", script) };
}

test("a MongoDB server has the users that are created, with what they may do", async () => {
  const { root, as } = aMongo();
  const clerk = "{user: 'clerk', pwd: 'pass', roles: [{role: 'readWrite', db: 'shop'}]}";
  expect((await root(`db.createUser(${clerk})`)).out).toMatch(
    /^Successfully added user: \{\n\t"user" : "clerk"/,
  );
  expect((await root(`db.createUser(${clerk})`)).err).toContain('User "clerk@admin" already exists');
  expect(JSON.parse((await root("printjson(db.getUser('clerk'))")).out).roles).toEqual([
    { role: "readWrite", db: "shop" },
  ]);
  await root("db.revokeRolesFromUser('clerk', [{role: 'readWrite', db: 'shop'}])");
  expect(JSON.parse((await root("db.getUser('clerk')")).out).roles).toEqual([]);
  await root(
    "db.grantRolesToUser('clerk', [{role: 'read', db: 'shop'}]); db.changeUserPassword('clerk', 'new')",
  );
  expect((await as("clerk", "pass", "db.version()")).err).toContain("Authentication failed.");
  expect((await as("clerk", "new", "db.version()")).out).toBe("4.4.6\n");
  expect(await as("clerk", "new", "db.dropUser('root')")).toMatchObject({
    code: 252,
    err: expect.stringContaining("not authorized on admin"),
  });
  expect((await root("db.dropUser('clerk')")).out).toBe("true\n");
  expect((await root("db.getSiblingDB('admin').getUsers()")).out).not.toContain("clerk");
});

test("without a login it says nothing of its users", async () => {
  const { run } = aMongo();
  expect((await run(["mongo", "--quiet", "--eval", "db.getUsers()"])).err).toContain(
    "requires authentication",
  );
  expect((await run(["mongo", "--quiet", "--eval", "db.frobnicate()"])).err).toContain("is not a function");
});

test("who does not speak TLS is not let in where it is required", async () => {
  const { run } = createShell((container) => ({
    ...running(container),
    datastore: { type: "mongodb", tls: "requireTLS", certificate: "/tls.pem" },
  }));
  const mongo = (...options: string[]) => run(["mongo", "--quiet", ...options, "--eval", "db.version()"]);
  expect(await mongo()).toMatchObject({ code: 1, err: expect.stringContaining("network error") });
  expect((await mongo("--tls")).err).toContain("self signed certificate");
  expect((await mongo("--tls", "--tlsAllowInvalidCertificates")).out).toBe("4.4.6\n");
  const { run: plain } = aMongo();
  expect((await plain(["mongo", "--tls", "--eval", "db.version()"])).err).toContain("stream truncated");
});

test("it says what it has in force: users with their credentials, databases, parameters", async () => {
  const { root, as } = aMongo();
  const users = "db.getSiblingDB('admin').system.users.find().toArray()";
  const print = (text: string) => `print(JSON.stringify(${text}))`;
  const before = JSON.parse((await root(print(users))).out);
  expect(before).toMatchObject([{ user: "root", db: "admin", credentials: expect.anything() }]);
  await root("db.changeUserPassword('root', 'new')");
  const after = JSON.parse((await as("root", "new", print(users))).out);
  expect(after[0].credentials).not.toEqual(before[0].credentials);
  const set = "db.adminCommand({setParameter: 1, notablescan: true})";
  expect(JSON.parse((await as("root", "new", set)).out)).toEqual({ was: false, ok: 1 });
  const asked = print("db.adminCommand({getParameter: '*'})");
  expect(JSON.parse((await as("root", "new", asked)).out)).toMatchObject({ notablescan: true, ok: 1 });
  await as("root", "new", "db.createUser({user: 'clerk', pwd: 'p', roles: [{role: 'read', db: 'shop'}]})");
  expect(JSON.parse((await as("clerk", "p", set)).out)).toMatchObject({ ok: 0, codeName: "Unauthorized" });
  const { out } = await as("clerk", "p", print("db.adminCommand({listDatabases: 1, nameOnly: true})"));
  expect(JSON.parse(out).databases).toContainEqual({ name: "admin" });
  expect((await as("clerk", "p", users)).err).toContain("not authorized");
});
