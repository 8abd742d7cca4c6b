import { createHash } from "node:crypto";

/** Privileges on one level: `on` is `*.*` or `<database>.*`. */
export interface MysqlGrant {
  readonly on: string;
  /** In MySQL's words and in capitals, e.g. `SELECT`; `ALL PRIVILEGES` means all. */
  readonly privileges: readonly string[];
}

/** An account of a MySQL server, `'user'@'host'`. */
export interface MysqlAccount {
  readonly user: string;
  /** A pattern: `%` is any host. */
  readonly host: string;
  /** As mysql_native_password keeps it; empty: without a password. */
  readonly hash: string;
  readonly locked: boolean;
  readonly grants: readonly MysqlGrant[];
}

/** What a MySQL server keeps in its data directory, as far as it is simulated: no tables, no rows. */
export interface MysqlState {
  /** Writes since the data directory was made: of the members of a cluster the one with most has the latest data. */
  readonly position: number;
  readonly databases: readonly string[];
  readonly accounts: readonly MysqlAccount[];
}

/** An error as the server sends it. */
export interface MysqlError {
  readonly code: number;
  readonly state: string;
  readonly message: string;
}

/** Who connects, from where, with what. */
export interface MysqlLogin {
  readonly user: string;
  readonly password: string;
  /** `localhost`, or the client's address. */
  readonly host: string;
  /** Empty: none. */
  readonly database: string;
}

/** All privileges that there are on a level, in GRANT and in grants. */
export const allPrivileges = "ALL PRIVILEGES";

/** mysql_native_password's hash of a password. */
export function nativeHash(password: string): string {
  if (password === "") return "";
  const once = createHash("sha1").update(password).digest();
  return `*${createHash("sha1").update(once).digest("hex").toUpperCase()}`;
}

const system = ["information_schema", "mysql", "performance_schema", "sys"];

/** A new data directory, as the image's entry point fills it from its variables. */
export function freshMysql(env: Readonly<Record<string, string>>): MysqlState {
  const { MYSQL_DATABASE: database, MYSQL_USER: user, MYSQL_PASSWORD: password = "" } = env;
  const root: MysqlAccount = {
    user: "root",
    host: "localhost",
    hash: nativeHash(env["MYSQL_ROOT_PASSWORD"] ?? ""),
    locked: false,
    grants: [{ on: "*.*", privileges: [allPrivileges] }],
  };
  const own: MysqlAccount[] = user
    ? [
        {
          user,
          host: "%",
          hash: nativeHash(password),
          locked: false,
          grants: database ? [{ on: `${database}.*`, privileges: [allPrivileges] }] : [],
        },
      ]
    : [];
  return {
    position: 0,
    databases: [...system, ...(database ? [database] : [])],
    accounts: [root, ...own],
  };
}

/** The account that a client counts as: of those that fit the one with the most exact host. */
export function accountFor({ accounts }: MysqlState, user: string, host: string): MysqlAccount | undefined {
  return accounts
    .filter((account) => account.user === user && fits(account.host, host))
    .sort((a, b) => b.host.replaceAll("%", "").length - a.host.replaceAll("%", "").length)[0];
}

const fits = (pattern: string, host: string): boolean => {
  const [head = "", ...rest] = pattern.split("%");
  return rest.length === 0 ? pattern === host : host.startsWith(head);
};

/** Whether an account has a privilege on a database. `USAGE`: any privilege at all. */
export function isGranted({ grants }: MysqlAccount, database: string, privilege: string): boolean {
  return grants.some(
    ({ on, privileges }) =>
      (on === "*.*" || on === `${database}.*`) &&
      (privilege === "USAGE"
        ? privileges.length > 0
        : privileges.some((one) => one === allPrivileges || one === privilege)),
  );
}

/** Why a server refuses these credentials; undefined: it does not. */
export function loginError(state: MysqlState, login: MysqlLogin): MysqlError | undefined {
  const { user, password, host, database } = login;
  const account = accountFor(state, user, host);
  const who = `'${user}'@'${host}'`;
  if (!account || account.hash !== nativeHash(password))
    return {
      code: 1045,
      state: "28000",
      message: `Access denied for user ${who} (using password: ${password === "" ? "NO" : "YES"})`,
    };
  if (account.locked)
    return { code: 3118, state: "HY000", message: `Access denied for user ${who}. Account is locked.` };
  return database === "" ? undefined : databaseError(state, account, who, database);
}

/** Why an account may not use a database. */
export function databaseError(
  { databases }: MysqlState,
  account: MysqlAccount,
  who: string,
  database: string,
): MysqlError | undefined {
  if (!isGranted(account, database, "USAGE") && database !== "information_schema")
    return { code: 1044, state: "42000", message: `Access denied for user ${who} to database '${database}'` };
  return databases.includes(database)
    ? undefined
    : { code: 1049, state: "42000", message: `Unknown database '${database}'` };
}

/** `'ts'@'%'`, as MySQL writes an account. */
export const accountName = ({ user, host }: Pick<MysqlAccount, "user" | "host">): string =>
  `'${user}'@'${host}'`;
