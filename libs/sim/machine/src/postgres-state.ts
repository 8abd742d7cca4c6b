import { createHash } from "node:crypto";
import { statementsIn } from "./sql-statements.ts";

/** A role of a PostgreSQL server. */
export interface PostgresRole {
  readonly name: string;
  readonly canLogIn: boolean;
  readonly isSuperuser: boolean;
  /** As `password_encryption = md5` keeps it; empty: it has none, and logs in with none over the network. */
  readonly verifier: string;
  /** Roles whose rights it has too. */
  readonly memberOf: readonly string[];
  /** In the words of GRANT, one privilege each: `SELECT ON ALL TABLES IN SCHEMA catalog`. */
  readonly rights: readonly string[];
}

/** What a PostgreSQL server keeps in its data directory, as far as it is simulated: names of tables, and no rows. */
export interface PostgresState {
  readonly roles: readonly PostgresRole[];
  readonly databases: readonly string[];
  /** Of the database that its image makes: `catalog.products`. */
  readonly tables: readonly string[];
}

/** What a statement about roles or databases came to: its tag, or the server's words. */
export type PostgresOutcome =
  | { readonly state: PostgresState; readonly tag: string }
  | { readonly error: string };

/** Who connects over the network, with what. */
export interface PostgresLogin {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** PostgreSQL's md5 verifier of a password. */
const md5Verifier = (role: string, password: string): string =>
  password === "" ? "" : `md5${createHash("md5").update(`${password}${role}`).digest("hex")}`;

/** A new data directory, as the image's entry point fills it from its variables and its scripts. */
export function freshPostgres(
  env: Readonly<Record<string, string>>,
  scripts: readonly string[],
): PostgresState {
  const { POSTGRES_USER: user = "postgres", POSTGRES_PASSWORD: password = "" } = env;
  const owner = { ...plainRole(user), canLogIn: true, isSuperuser: true };
  const databases = [...new Set(["postgres", "template0", "template1", env["POSTGRES_DB"] ?? user])];
  const empty: PostgresState = {
    roles: [{ ...owner, verifier: md5Verifier(user, password) }],
    databases,
    tables: [],
  };
  return scripts.flatMap(statementsIn).reduce((state, { sql }) => {
    const outcome = runDefinition(state, sql);
    return outcome && "state" in outcome ? outcome.state : state;
  }, empty);
}

const plainRole = (name: string): PostgresRole => ({
  name,
  canLogIn: false,
  isSuperuser: false,
  verifier: "",
  memberOf: [],
  rights: [],
});

/** Why a server refuses these credentials of a client on the network, in its words; undefined: it does not. */
export function postgresLoginError(
  { roles, databases }: PostgresState,
  { user, password, database }: PostgresLogin,
): string | undefined {
  const role = roles.find(({ name }) => name === user);
  if (!role || role.verifier === "" || role.verifier !== md5Verifier(user, password))
    return `FATAL:  password authentication failed for user "${user}"`;
  if (!role.canLogIn) return `FATAL:  role "${user}" is not permitted to log in`;
  return databases.includes(database) ? undefined : `FATAL:  database "${database}" does not exist`;
}

/** Whether a role has a privilege on tables, by itself or by a role that it is a member of. */
export function hasPrivilege(state: PostgresState, user: string, privilege: string): boolean {
  return rolesOf(state, user).some(
    ({ isSuperuser, rights }) => isSuperuser || rights.some((right) => right.startsWith(`${privilege} ON `)),
  );
}

/** A role and all whose rights it has. */
function rolesOf({ roles }: PostgresState, user: string): readonly PostgresRole[] {
  const found = new Map<string, PostgresRole>();
  const open = [user];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const role = roles.find((one) => one.name === name);
    if (!role || found.has(name)) continue;
    found.set(name, role);
    open.push(...role.memberOf);
  }
  return [...found.values()];
}

const word = (text: string): string => text.trim().replace(/^"(.*)"$/, "$1");
const words = (text: string): string[] => text.split(",").map(word);
const noRole = (name: string): PostgresOutcome => ({ error: `role "${name}" does not exist` });

type Form = readonly [RegExp, (state: PostgresState, groups: readonly string[]) => PostgresOutcome];

const forms: readonly Form[] = [
  [
    /^CREATE\s+(USER|ROLE)\s+("?[\w-]+"?)(.*)$/is,
    (state, [kind = "", given = "", options = ""]) => {
      const name = word(given);
      if (state.roles.some((role) => role.name === name)) return { error: `role "${name}" already exists` };
      const role = { ...plainRole(name), canLogIn: /user/i.test(kind) };
      return {
        state: { ...state, roles: [...state.roles, { ...role, ...optionsIn(name, options) }] },
        tag: "CREATE ROLE",
      };
    },
  ],
  [
    /^ALTER\s+(?:USER|ROLE)\s+("?[\w-]+"?)\s+(.*)$/is,
    (state, [given = "", options = ""]) => {
      const name = word(given);
      return editRole(state, name, "ALTER ROLE", (role) => ({ ...role, ...optionsIn(name, options) }));
    },
  ],
  [
    /^DROP\s+(?:USER|ROLE)\s+(IF\s+EXISTS\s+)?("?[\w-]+"?)$/is,
    (state, [ifExists, given = ""]) => {
      const name = word(given);
      const roles = state.roles.filter((role) => role.name !== name);
      if (roles.length === state.roles.length && ifExists === undefined) return noRole(name);
      return { state: { ...state, roles }, tag: "DROP ROLE" };
    },
  ],
  [
    /^(GRANT|REVOKE)\s+(.+?)\s+ON\s+(.+?)\s+(?:TO|FROM)\s+("?[\w-]+"?)$/is,
    (state, [verb = "", privileges = "", on = "", given = ""]) => {
      const some = privilegesIn(privileges, on).flatMap((privilege) =>
        objectsIn(on).map((object) => `${privilege} ON ${object}`),
      );
      return editRole(state, word(given), verb.toUpperCase(), (role) => ({
        ...role,
        rights: /grant/i.test(verb)
          ? [...new Set([...role.rights, ...some])]
          : role.rights.filter((one) => !some.includes(one)),
      }));
    },
  ],
  [
    /^(GRANT|REVOKE)\s+("?[\w-]+"?)\s+(?:TO|FROM)\s+("?[\w-]+"?)$/is,
    (state, [verb = "", group = "", given = ""]) => {
      const name = word(group);
      if (!state.roles.some((role) => role.name === name)) return noRole(name);
      return editRole(state, word(given), `${verb.toUpperCase()} ROLE`, (role) => {
        const others = role.memberOf.filter((one) => one !== name);
        return { ...role, memberOf: /grant/i.test(verb) ? [...others, name] : others };
      });
    },
  ],
  [
    /^CREATE\s+DATABASE\s+("?[\w-]+"?)/is,
    (state, [given = ""]) => {
      const name = word(given);
      if (state.databases.includes(name)) return { error: `database "${name}" already exists` };
      return { state: { ...state, databases: [...state.databases, name] }, tag: "CREATE DATABASE" };
    },
  ],
  [
    /^DROP\s+DATABASE\s+(?:IF\s+EXISTS\s+)?("?[\w-]+"?)/is,
    (state, [given = ""]) => {
      const databases = state.databases.filter((name) => name !== word(given));
      if (databases.length === state.databases.length)
        return { error: `database "${word(given)}" does not exist` };
      return { state: { ...state, databases }, tag: "DROP DATABASE" };
    },
  ],
  [
    /^CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w."]+)\s*\(/is,
    (state, [given = ""]) => {
      const name = tableName(given);
      return { state: { ...state, tables: [...new Set([...state.tables, name])] }, tag: "CREATE TABLE" };
    },
  ],
];

/** `catalog.products` of a table as a statement names it; without a schema it is in `public`. */
export function tableName(given: string): string {
  const bare = given.replaceAll('"', "");
  return bare.includes(".") ? bare : `public.${bare}`;
}

/** Runs a statement that defines roles, rights, databases or tables; undefined: it is none. */
export function runDefinition(state: PostgresState, sql: string): PostgresOutcome | undefined {
  for (const [pattern, run] of forms) {
    const match = pattern.exec(sql.replace(/^(\s*--[^\n]*\n)+/, "").trim());
    if (match) return run(state, match.slice(1));
  }
  return undefined;
}

function editRole(
  state: PostgresState,
  name: string,
  tag: string,
  change: (role: PostgresRole) => PostgresRole,
): PostgresOutcome {
  if (!state.roles.some((role) => role.name === name)) return noRole(name);
  const roles = state.roles.map((role) => (role.name === name ? change(role) : role));
  return { state: { ...state, roles }, tag };
}

function optionsIn(name: string, text: string): Partial<PostgresRole> {
  const password = /\bPASSWORD\s+(?:'((?:[^']|'')*)'|(NULL))/i.exec(text);
  const flag = (option: string): boolean | undefined => {
    const found = new RegExp(`\\b(NO)?${option}\\b`, "i").exec(text.replace(/'[^']*'/g, ""));
    return found ? found[1] === undefined : undefined;
  };
  const [canLogIn, isSuperuser] = [flag("LOGIN"), flag("SUPERUSER")];
  return {
    ...(password && { verifier: md5Verifier(name, (password[1] ?? "").replaceAll("''", "'")) }),
    ...(canLogIn !== undefined && { canLogIn }),
    ...(isSuperuser !== undefined && { isSuperuser }),
  };
}

const ofTables = ["SELECT", "INSERT", "UPDATE", "DELETE"];

function privilegesIn(text: string, on: string): string[] {
  if (!/^ALL(\s+PRIVILEGES)?$/i.test(text.trim())) return words(text).map((one) => one.toUpperCase());
  if (/^SCHEMA\b/i.test(on)) return ["USAGE", "CREATE"];
  return /^DATABASE\b/i.test(on) ? ["CONNECT", "CREATE"] : ofTables;
}

/** One for each schema or table that is named. */
function objectsIn(on: string): string[] {
  const [, kind = "", names = on] =
    /^((?:ALL\s+TABLES\s+IN\s+)?SCHEMA|DATABASE|TABLE)\s+(.*)$/is.exec(on) ?? [];
  const of = kind.toUpperCase().replace(/\s+/g, " ");
  return words(names).map((name) => (of === "" || of === "TABLE" ? `TABLE ${name}` : `${of} ${name}`));
}
