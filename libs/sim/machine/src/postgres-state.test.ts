import { expect, test } from "vitest";
import { freshPostgres, hasPrivilege, postgresLoginError, runDefinition } from "./postgres-state.ts";

const env = { POSTGRES_USER: "owner", POSTGRES_PASSWORD: "it", POSTGRES_DB: "shop" };
const script = `CREATE USER clerk WITH PASSWORD 'it''s';
  CREATE TABLE catalog.products (id text, note text DEFAULT 'a; b');
  GRANT USAGE ON SCHEMA catalog TO clerk;
  GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA catalog TO clerk;
  CREATE USER guest WITH PASSWORD 'in'; GRANT clerk TO guest;`;
const server = freshPostgres(env, [script]);

test("an empty data directory is filled from the image's variables and scripts", () => {
  expect(server.roles.map(({ name }) => name)).toEqual(["owner", "clerk", "guest"]);
  expect(server.databases).toContain("shop");
  expect(server.tables).toEqual(["catalog.products"]);
});

test("a client on the network is let in with the role's password, to a database that there is", () => {
  const login = (user: string, password: string, database = "shop") =>
    postgresLoginError(server, { user, password, database });
  expect(login("clerk", "it's")).toBeUndefined();
  for (const [user, password] of [
    ["clerk", "its"],
    ["clerk", ""],
    ["stranger", "it"],
  ] as const)
    expect(login(user, password)).toBe(`FATAL:  password authentication failed for user "${user}"`);
  expect(login("clerk", "it's", "shoe")).toBe('FATAL:  database "shoe" does not exist');
  const locked = runDefinition(server, "ALTER ROLE clerk NOLOGIN");
  expect(
    locked &&
      "state" in locked &&
      postgresLoginError(locked.state, { user: "clerk", password: "it's", database: "shop" }),
  ).toBe('FATAL:  role "clerk" is not permitted to log in');
});

test("a role has the rights that it was given and those of roles that it is a member of", () => {
  const may = (state: typeof server, user: string) =>
    ["SELECT", "INSERT", "DELETE"].filter((privilege) => hasPrivilege(state, user, privilege));
  expect(may(server, "owner")).toEqual(["SELECT", "INSERT", "DELETE"]);
  expect(may(server, "guest")).toEqual(["SELECT", "INSERT"]);
  const revoked = runDefinition(server, "REVOKE INSERT ON ALL TABLES IN SCHEMA catalog FROM clerk");
  expect(revoked && "state" in revoked && may(revoked.state, "guest")).toEqual(["SELECT"]);
  expect(runDefinition(server, "GRANT clerk TO stranger")).toEqual({
    error: 'role "stranger" does not exist',
  });
  expect(runDefinition(server, "SELECT 1")).toBeUndefined();
});
