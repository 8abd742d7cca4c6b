import type { ContainerRuntime } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createShell } from "../../testing/create-shell.ts";

const running =
  (runtime: "mysql" | "redis", with_: Partial<ContainerRuntime> = {}) =>
  (container: ContainerRuntime): Partial<ContainerRuntime> => ({
    ...(container.behaviour && {
      behaviour: {
        ...container.behaviour,
        runtime,
        tools: ["coreutils", "mysql", "mysqladmin", "redis-cli"],
      },
    }),
    ...with_,
  });

const env = { MYSQL_DATABASE: "shop", MYSQL_USER: "clerk", MYSQL_PASSWORD: "pass word" };
const aMysql = () => {
  const { run, container } = createShell(running("mysql", { env }));
  const as = (user: string, password: string, sql: string, ...rest: string[]) =>
    run(["mysql", "-h", "10.43.0.7", `-u${user}`, `-p${password}`, "-N", ...rest, "-e", sql]);
  return { run, container, as, root: (sql: string) => run(["mysql", "-uroot", "-N", "-e", sql]) };
};

test("a MySQL server has the account of its variables, and lets it into its database alone", async () => {
  const { as, root } = aMysql();
  expect((await as("clerk", "pass word", "select current_user(), database()", "shop")).out).toBe(
    "clerk@%\tshop\n",
  );
  expect((await as("clerk", "pass word", "select 1", "mysql")).err).toMatch(
    /^ERROR 1044 \(42000\): Access denied for user 'clerk'@'[\d.]+' to database 'mysql'\n$/,
  );
  expect((await as("clerk", "no", "select 1")).err).toMatch(
    /^ERROR 1045 \(28000\): Access denied for user 'clerk'@'[\d.]+' \(using password: YES\)\n$/,
  );
  expect((await as("clerk", "pass word", "drop user root@localhost")).err).toContain("ERROR 1227 (42000)");
  expect((await root("show grants for clerk")).out).toBe(
    "GRANT USAGE ON *.* TO 'clerk'@'%'\nGRANT ALL PRIVILEGES ON `shop`.* TO 'clerk'@'%'\n",
  );
});

test("accounts are dropped, created, locked and given rights, and stay so when the server is replaced", async () => {
  const { as, root, run, container } = aMysql();
  await root("drop user 'clerk'@'%'");
  expect((await root("drop user 'clerk'@'%'")).err).toContain(
    "ERROR 1396 (HY000) at line 1: Operation DROP USER failed for 'clerk'@'%'",
  );
  expect((await as("clerk", "pass word", "select 1")).code).toBe(1);
  await root("create user clerk identified by 'two'; grant select, insert on shop.* to clerk");
  expect((await as("clerk", "two", "select 1", "shop")).out).toBe("1\n");
  await root("revoke insert on shop.* from 'clerk'@'%'");
  expect((await root("show grants for 'clerk'@'%'")).out).toContain("GRANT SELECT ON `shop`.* TO");
  await root("alter user 'clerk'@'%' account lock");
  expect((await as("clerk", "two", "select 1")).err).toContain("ERROR 3118 (HY000)");
  expect((await root("select user, account_locked from mysql.user where user = 'clerk'")).out).toBe(
    "clerk\tY\n",
  );
  // Its memory is lost, its data directory is not.
  delete container.datastore;
  expect((await as("clerk", "two", "select 1")).err).toContain("Account is locked");
  await root("alter user clerk account unlock identified by 'three'");
  expect((await as("clerk", "three", "select 1", "shop")).out).toBe("1\n");
  expect((await run(["mysqladmin", "-uclerk", "-pno", "ping"])).out).toBe("mysqld is alive\n");
});

test("settings of a MySQL server come from its files and last as long as it runs", async () => {
  const { root, container } = aMysql();
  container.files.set(
    "/etc/mysql/conf.d/own.cnf",
    Buffer.from("[client]\nx=1\n[mysqld]\nmax-connections = 7\n"),
  );
  expect((await root("show variables like 'max_conn%'")).out).toBe("max_connections\t7\n");
  await root("set global max_connections = 9");
  expect((await root("select @@max_connections")).out).toBe("9\n");
  delete container.datastore;
  expect((await root("select @@max_connections")).out).toBe("7\n");
  expect((await root("set global no_such = 1")).err).toContain("Unknown system variable 'no_such'");
});

test("what is no SQL is refused, and rows of tables are said not to be simulated", async () => {
  const { root, run } = aMysql();
  expect((await root("frobnicate")).err).toContain("ERROR 1064 (42000) at line 1: You have an error");
  expect(await root("select * from shop.orders")).toMatchObject({
    code: 1,
    err: "mysql: the embedded cluster does not simulate tables and their rows\n",
  });
  expect((await run(["mysql", "-uroot", "-t", "-e", "select 1"])).out).toBe(
    "+---+\n| 1 |\n+---+\n| 1 |\n+---+\n",
  );
});

const aRedis = (command: readonly string[] = []) => {
  const { run, container } = createShell(running("redis", { command }));
  return { container, cli: (...words: string[]) => run(["redis-cli", ...words]) };
};

test("a Redis asks for the password of its command line, until CONFIG SET changes it", async () => {
  const { cli, container } = aRedis(["--requirepass", "sesame"]);
  expect((await cli("ping")).out).toContain("NOAUTH Authentication required.");
  expect((await cli("-a", "wrong", "ping")).err).toContain(
    "AUTH failed: WRONGPASS invalid username-password pair",
  );
  expect((await cli("--no-auth-warning", "-a", "sesame", "ping")).out).toBe("PONG\n");
  await cli("-a", "sesame", "config", "set", "requirepass", "");
  expect((await cli("ping")).out).toBe("PONG\n");
  delete container.datastore;
  expect((await cli("ping")).out).toContain("NOAUTH");
});

test("a Redis keeps keys, and takes none when its memory is used up and nothing may be evicted", async () => {
  const { cli } = aRedis();
  await cli("set", "greeting", "hello there");
  expect((await cli("get", "greeting")).out).toBe("hello there\n");
  expect((await cli("config", "set", "maxmemory", "512kb")).out).toBe("OK\n");
  expect((await cli("set", "more", "x")).out).toContain(
    "OOM command not allowed when used memory > 'maxmemory'.",
  );
  expect((await cli("get", "greeting")).out).toBe("hello there\n");
  expect((await cli("info", "memory")).out).toContain("maxmemory:524288\r\n");
  await cli("config", "set", "maxmemory", "0");
  expect((await cli("set", "more", "x")).out).toBe("OK\n");
  expect((await cli("dbsize")).out).toBe("2\n");
  expect((await cli("frob", "x")).out).toContain(
    "ERR unknown command 'frob', with args beginning with: 'x' ",
  );
});

test("a Redis counts its commands until they are reset", async () => {
  const { cli } = aRedis();
  await cli("set", "greeting", "hello");
  await cli("flushall");
  expect((await cli("info")).out).not.toContain("cmdstat");
  const counts = async () =>
    [...(await cli("info", "commandstats")).out.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)].map(
      ([, name, calls]) => `${name} ${calls}`,
    );
  expect(await counts()).toEqual(["set 1", "flushall 1", "info 1"]);
  await cli("config", "resetstat");
  expect(await counts()).toEqual(["config|resetstat 1"]);
});

test("users of Redis' access lists have passwords of their own", async () => {
  const { cli } = aRedis();
  await cli("acl", "setuser", "reader", "on", ">secret", "~*", "+@read");
  expect((await cli("acl", "users")).out).toBe("default\nreader\n");
  expect((await cli("--user", "reader", "--pass", "secret", "acl", "whoami")).out).toBe("reader\n");
  expect((await cli("--user", "reader", "--pass", "no", "ping")).err).toContain("WRONGPASS");
  expect((await cli("acl", "deluser", "reader")).out).toBe("1\n");
});
