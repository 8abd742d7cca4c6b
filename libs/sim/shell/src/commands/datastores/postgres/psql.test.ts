import type { ContainerRuntime } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createShell } from "../../../testing/create-shell.ts";

const running = (container: ContainerRuntime): Partial<ContainerRuntime> => ({
  ...(container.behaviour && {
    behaviour: { ...container.behaviour, runtime: "postgresql", tools: ["coreutils", "psql", "pg_isready"] },
  }),
  env: { POSTGRES_USER: "root", POSTGRES_PASSWORD: "secret", POSTGRES_DB: "shop" },
});

function aPostgres() {
  const { run, ...shell } = createShell(running);
  const sql = (...texts: string[]) =>
    run(["psql", "-U", "root", "-d", "shop", "-t", "-A", ...texts.flatMap((text) => ["-c", text])]);
  return { run, sql, ...shell };
}

test("a PostgreSQL server has the roles that statements make, with their passwords and rights", async () => {
  const { sql, run } = aPostgres();
  expect((await sql("CREATE USER clerk WITH PASSWORD 'pass'")).out).toBe("CREATE ROLE\n");
  expect((await sql("CREATE USER clerk")).err).toBe('ERROR:  role "clerk" already exists\n');
  expect((await sql("GRANT root TO clerk", "ALTER ROLE clerk NOLOGIN")).out).toBe("GRANT ROLE\nALTER ROLE\n");
  const roles = "SELECT rolname, rolcanlogin FROM pg_roles WHERE NOT rolsuper ORDER BY rolname";
  expect((await sql(roles)).out).toBe("clerk|f\n");
  const before = (await sql("SELECT rolpassword FROM pg_authid WHERE rolname = 'clerk'")).out;
  await sql("ALTER USER clerk LOGIN PASSWORD 'other'");
  expect((await sql("SELECT rolpassword FROM pg_authid WHERE rolname = 'clerk'")).out).not.toBe(before);
  expect((await sql("DROP ROLE clerk", "DROP ROLE clerk")).err).toBe('ERROR:  role "clerk" does not exist\n');
  expect((await run(["psql", "-U", "stranger", "-d", "shop", "-c", "SELECT 1"])).err).toContain(
    'FATAL:  role "stranger" does not exist',
  );
});

test("pg_isready says whether a server answers", async () => {
  const { run, reply } = aPostgres();
  expect(await run(["pg_isready", "-U", "root"])).toMatchObject({
    code: 0,
    out: "/var/run/postgresql:5432 - accepting connections\n",
  });
  reply.current = () => ({ ok: false, elapsedMs: 3000, error: "timed out" });
  expect(await run(["pg_isready", "-h", "nowhere", "-t", "1"])).toMatchObject({
    code: 2,
    out: "nowhere:5432 - no response\n",
  });
  expect(await run(["pg_isready", "-q", "-h", "nowhere"])).toMatchObject({ code: 2, out: "" });
  expect((await run(["pg_isready", "--no-such"])).code).toBe(3);
});

test("prints tables as people and as programs read them", async () => {
  const { run, sql } = aPostgres();
  const query = "SELECT datname, 12 AS n FROM pg_database LIMIT 2";
  expect((await run(["psql", "-U", "root", "-d", "shop", "-c", query])).out).toBe(
    "  datname  | n  \n-----------+----\n postgres  | 12\n template0 | 12\n(2 rows)\n\n",
  );
  expect((await sql("SELECT count(*) FROM pg_roles")).out).toBe("1\n");
  expect((await sql("SELECT nothing FROM pg_roles")).err).toBe('ERROR:  column "nothing" does not exist\n');
  expect((await sql("SELEC 1")).err).toMatch(/syntax error at or near "selec"/i);
  expect((await sql("SELECT * FROM orders")).err).toContain("does not simulate");
});

test("a session waits for a lock on a table until its holder is terminated", async () => {
  const { sql } = aPostgres();
  await sql("CREATE TABLE products (id text)");
  const holder = sql("BEGIN; LOCK TABLE products IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)");
  const waiting = sql("BEGIN; LOCK TABLE products; COMMIT");
  const locks = `SELECT a.pid, a.state, l.mode, l.granted, l.relation::regclass FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid ORDER BY a.pid`;
  await sql("SELECT pg_sleep(2)");
  const rows = (await sql(locks)).out.trim().split("\n");
  expect(rows).toEqual([
    expect.stringMatching(/^\d+\|active\|AccessExclusiveLock\|t\|products$/),
    expect.stringMatching(/^\d+\|active\|AccessExclusiveLock\|f\|products$/),
  ]);
  const [pid = ""] = rows[0]?.split("|") ?? [];
  const blocked = "SELECT pg_blocking_pids(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  expect((await sql(blocked)).out).toBe(`{${pid}}\n`);
  expect((await sql(`SELECT pg_terminate_backend(${pid})`)).out).toBe("t\n");
  expect((await holder).err).toContain("terminating connection due to administrator command");
  expect((await waiting).code).toBe(0);
  expect((await sql("SELECT count(*) FROM pg_locks")).out).toBe("0\n");
});
