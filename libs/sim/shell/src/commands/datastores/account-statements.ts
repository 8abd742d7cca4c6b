import {
  accountName,
  allPrivileges,
  isGranted,
  type MysqlAccount,
  type MysqlGrant,
  nativeHash,
} from "@microremed/sim-machine";
import { done, failed, type SqlForm, type SqlResult, type SqlSession } from "./sql-session.types.ts";

const name = String.raw`['"\x60]?([\w.$-]+?)['"\x60]?(?:@['"\x60]?([\w.%:-]+?)['"\x60]?)?`;
const word = (text: string): RegExp => new RegExp(`^${text}$`, "is");
const quoted = (text: string | undefined): string => (text ?? "").replace(/^(['"])(.*)\1$/s, "$2");

interface Named {
  readonly user: string;
  readonly host: string;
}

const isNamed =
  ({ user, host }: Named) =>
  (account: MysqlAccount): boolean =>
    account.user === user && account.host === host;

function change(session: SqlSession, accounts: readonly MysqlAccount[]): SqlResult {
  session.state = { ...session.state, accounts };
  return done;
}

/** Why the session may not do what it takes a privilege for; undefined: it may. */
function refused({ server, account }: SqlSession, privilege: string): SqlResult | undefined {
  if (!isGranted(account, "", privilege) && !account.grants.some(({ on }) => on === "*.*"))
    return failed(
      1227,
      "42000",
      `Access denied; you need (at least one of) the ${privilege} privilege(s) for this operation`,
    );
  if (!server.isReadOnly) return undefined;
  return failed(
    1290,
    "HY000",
    "The MySQL server is running with the --super-read-only option so it cannot execute this statement",
  );
}

/** A statement on one account that has to be there, or must not. */
function onAccount(
  pattern: string,
  what: string,
  run: (session: SqlSession, named: Named, rest: readonly string[]) => SqlResult,
  options: { readonly mayMiss?: true; readonly isNew?: true } = {},
): SqlForm {
  return {
    pattern: word(pattern),
    run(session, [text = "", user = "", host = "%", ...rest]) {
      const no = refused(session, "CREATE USER");
      if (no) return no;
      const named = { user, host };
      const isThere = session.state.accounts.some(isNamed(named));
      if (isThere === (options.isNew ?? false)) {
        if (/\bIF (NOT )?EXISTS\b/i.test(text)) return done;
        return options.mayMiss
          ? run(session, named, rest)
          : failed(1396, "HY000", `Operation ${what} failed for ${accountName(named)}`);
      }
      return run(session, named, rest);
    },
  };
}

const edit = (session: SqlSession, named: Named, with_: Partial<MysqlAccount>): SqlResult =>
  change(
    session,
    session.state.accounts.map((one) => (isNamed(named)(one) ? { ...one, ...with_ } : one)),
  );

const lockIn = (text: string): Partial<MysqlAccount> => {
  const found = /\bACCOUNT\s+(UN)?LOCK\b/i.exec(text);
  return found ? { locked: found[1] === undefined } : {};
};

const passwordIn = (text: string): Partial<MysqlAccount> => {
  const found = /\bIDENTIFIED\s+(?:WITH\s+\S+\s+)?BY\s+(?:'([^']*)'|"([^"]*)")/is.exec(text);
  return found ? { hash: nativeHash(found[1] ?? found[2] ?? "") } : {};
};

/** Privileges as a list in capitals; `ALL` alone is all of them. */
const privilegesIn = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim().toUpperCase().replace(/\s+/g, " "))
    .map((one) => (one === "ALL" ? allPrivileges : one));

const level = (text: string): string => text.replace(/[`'"\s]/g, "");

/** What `ALL` on a database means, for a revocation of a part. */
const everyPrivilege =
  "SELECT,INSERT,UPDATE,DELETE,CREATE,DROP,REFERENCES,INDEX,ALTER,CREATE TEMPORARY TABLES,LOCK TABLES,EXECUTE,CREATE VIEW,SHOW VIEW,CREATE ROUTINE,ALTER ROUTINE,EVENT,TRIGGER".split(
    ",",
  );

function granted(grants: readonly MysqlGrant[], on: string, more: readonly string[]): MysqlGrant[] {
  const old = grants.find((one) => one.on === on)?.privileges ?? [];
  const privileges = more.includes(allPrivileges) ? [allPrivileges] : [...new Set([...old, ...more])];
  return [...grants.filter((one) => one.on !== on), { on, privileges }];
}

function revoked(grants: readonly MysqlGrant[], on: string, less: readonly string[]): MysqlGrant[] {
  return grants.flatMap((one) => {
    if (one.on !== on) return [one];
    if (less.includes(allPrivileges)) return [];
    const old = one.privileges.includes(allPrivileges) ? everyPrivilege : one.privileges;
    const privileges = old.filter((privilege) => !less.includes(privilege));
    return privileges.length === 0 ? [] : [{ on, privileges }];
  });
}

const grantsOf = (session: SqlSession, named: Named): readonly MysqlGrant[] =>
  session.state.accounts.find(isNamed(named))?.grants ?? [];

/** Statements about accounts and their rights. */
export const accountStatements: readonly SqlForm[] = [
  onAccount(
    `CREATE\\s+USER\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${name}(?:\\s+(.*))?`,
    "CREATE USER",
    (session, named, [rest = ""]) =>
      change(session, [
        ...session.state.accounts,
        { ...named, hash: "", locked: false, grants: [], ...passwordIn(rest), ...lockIn(rest) },
      ]),
    { isNew: true },
  ),
  onAccount(
    `ALTER\\s+USER\\s+(?:IF\\s+EXISTS\\s+)?${name}\\s+(.*)`,
    "ALTER USER",
    (session, named, [rest = ""]) => edit(session, named, { ...passwordIn(rest), ...lockIn(rest) }),
  ),
  onAccount(
    `SET\\s+PASSWORD\\s+FOR\\s+${name}\\s*=\\s*(?:PASSWORD\\()?\\s*('[^']*'|"[^"]*")\\s*\\)?`,
    "SET PASSWORD",
    (session, named, [password]) => edit(session, named, { hash: nativeHash(quoted(password)) }),
  ),
  onAccount(`DROP\\s+USER\\s+(?:IF\\s+EXISTS\\s+)?${name}`, "DROP USER", (session, named) =>
    change(
      session,
      session.state.accounts.filter((one) => !isNamed(named)(one)),
    ),
  ),
  {
    pattern: word(`RENAME\\s+USER\\s+${name}\\s+TO\\s+${name}`),
    run(session, [, user = "", host = "%", newUser = "", newHost = "%"]) {
      const no = refused(session, "CREATE USER");
      if (no) return no;
      if (!session.state.accounts.some(isNamed({ user, host })))
        return failed(1396, "HY000", `Operation RENAME USER failed for ${accountName({ user, host })}`);
      return edit(session, { user, host }, { user: newUser, host: newHost });
    },
  },
  {
    pattern: word(
      `GRANT\\s+(.+?)\\s+ON\\s+([\\w\`'"*.]+)\\s+TO\\s+${name}(\\s+IDENTIFIED\\s+BY\\s+(?:'[^']*'|"[^"]*"))?(?:\\s+WITH\\s+GRANT\\s+OPTION)?`,
    ),
    run(session, [, what = "", on = "", user = "", host = "%", identified]) {
      const no = refused(session, "GRANT OPTION");
      if (no) return no;
      const named = { user, host };
      const isThere = session.state.accounts.some(isNamed(named));
      // Until 8.0 GRANT makes an account that it gives a password.
      if (!isThere && identified === undefined)
        return failed(1133, "42000", "Can't find any matching row in the user table");
      if (!isThere)
        change(session, [...session.state.accounts, { ...named, hash: "", locked: false, grants: [] }]);
      return edit(session, named, {
        grants: granted(grantsOf(session, named), level(on), privilegesIn(what)),
        ...(identified !== undefined && passwordIn(identified)),
      });
    },
  },
  {
    pattern: word(`REVOKE\\s+(.+?)\\s+ON\\s+([\\w\`'"*.]+)\\s+FROM\\s+${name}`),
    run(session, [, what = "", on = "", user = "", host = "%"]) {
      const no = refused(session, "GRANT OPTION");
      if (no) return no;
      const named = { user, host };
      const grants = grantsOf(session, named);
      if (!grants.some((one) => one.on === level(on)))
        return failed(1141, "42000", `There is no such grant defined for user '${user}' on host '${host}'`);
      return edit(session, named, { grants: revoked(grants, level(on), privilegesIn(what)) });
    },
  },
  {
    pattern: word(`SHOW\\s+GRANTS(?:\\s+FOR\\s+(?:CURRENT_USER(?:\\(\\))?|${name}))?`),
    run(session, [, user, host = "%"]) {
      const named = user === undefined ? session.account : { user, host };
      const account = session.state.accounts.find(isNamed(named));
      if (!account)
        return failed(
          1141,
          "42000",
          `There is no such grant defined for user '${named.user}' on host '${named.host}'`,
        );
      const levels = account.grants.some(({ on }) => on === "*.*")
        ? account.grants
        : [{ on: "*.*", privileges: ["USAGE"] }, ...account.grants];
      const to = accountName(account);
      const rows = levels.map(({ on, privileges }) => {
        const where = on === "*.*" ? on : on.replace(/^(.*)\.\*$/, "`$1`.*");
        return [`GRANT ${privileges.join(", ")} ON ${where} TO ${to}`];
      });
      return { columns: [`Grants for ${account.user}@${account.host}`], rows };
    },
  },
];
