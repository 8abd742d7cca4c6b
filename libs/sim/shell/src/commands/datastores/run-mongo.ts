import {
  type MongoState,
  type MongoUser,
  mongoDigest,
  mongoMay,
  mongoRolesIn,
  mongoUserOf,
} from "@microremed/sim-machine";

/** A connection of the shell. */
export interface MongoSession {
  readonly database: string;
  state: MongoState;
  readonly user: MongoUser | undefined;
  /** The server asks for no login, or has no users yet. */
  readonly isFree: boolean;
  readonly isLocal: boolean;
}

/** What a statement printed; `error`: it threw. */
export interface MongoReply {
  readonly text: string;
  readonly error?: string;
}

/** Statements of a script, parted at semicolons and ends of lines outside of brackets and quotes. */
export function statementsOf(script: string): string[] {
  const found: string[] = [];
  let [depth, quote, from] = [0, "", 0];
  for (let at = 0; at <= script.length; at++) {
    const char = script[at] ?? ";";
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if ((char === ";" || char === "\n") && depth <= 0) {
      found.push(script.slice(from, at).trim());
      from = at + 1;
    }
  }
  return found.filter((one) => one !== "" && !one.startsWith("//"));
}

const call = /^(?:db|db\.getSiblingDB\(\s*['"]([\w-]+)['"]\s*\))\.(\w+)\(([\s\S]*)\)(?:\.pretty\(\))?$/;
const stringified = /^JSON\.stringify\(([\s\S]*)\)$/;
/** Users and roles, as the server keeps them. */
const kept =
  /^db(?:\.getSiblingDB\(\s*['"]admin['"]\s*\))?\.system\.(users|roles)\.find\(\)(?:\.toArray\(\))?$/;
const printing = /^(?:print|printjson|tojson)\(([\s\S]*)\)$/;

/** Runs one statement. */
export function runMongo(session: MongoSession, statement: string): MongoReply {
  const inner = printing.exec(statement)?.[1]?.trim();
  if (inner !== undefined) {
    const [, , literal] = /^(['"])(.*)\1$/.exec(inner) ?? [];
    return literal === undefined ? runMongo(session, inner) : { text: literal };
  }
  const inside = stringified.exec(statement)?.[1]?.trim();
  if (inside !== undefined) {
    const { text, error } = runMongo(session, inside);
    return error === undefined ? { text: JSON.stringify(JSON.parse(text)) } : { text, error };
  }
  const [, collection] = kept.exec(statement) ?? [];
  if (collection !== undefined) {
    const found = collection === "users" ? session.state.users.map(stored) : [];
    return allowed(session, "admin", "find") ?? { text: json(found) };
  }
  if (/^show\s+(dbs|databases)$/.test(statement))
    return { text: databases.map((name) => `${name.padEnd(6)} 0.000GB`).join("\n") };
  if (/^show\s+users$/.test(statement)) return command(session, session.database, "getUsers", "");
  const [, sibling, name = "", args = ""] = call.exec(statement) ?? [];
  if (name === "")
    return { text: "", error: `SyntaxError: this shell does not know: ${statement.slice(0, 80)}` };
  return command(session, sibling ?? session.database, name, args);
}

const firstText = (args: string): string => /^\s*(['"])(.*?)\1/.exec(args)?.[2] ?? "";

function command(session: MongoSession, database: string, name: string, args: string): MongoReply {
  switch (name) {
    case "version":
      return { text: "4.4.6" };
    case "getName":
      return { text: database };
    case "adminCommand":
      return runCommand(session, "admin", args);
    case "runCommand":
      return runCommand(session, database, args);
    case "auth":
      return { text: "1" };
    case "getUsers":
      return allowed(session, database, "usersInfo") ?? { text: json(session.state.users.map(shown)) };
    case "getUser": {
      const found = session.state.users.find(({ user }) => user === firstText(args));
      return allowed(session, database, "usersInfo") ?? { text: found ? json(shown(found)) : "null" };
    }
    case "createUser":
      return allowed(session, database, "createUser") ?? createUser(session, args);
    case "dropUser":
      return allowed(session, database, "dropUser") ?? dropUser(session, firstText(args));
    case "changeUserPassword":
    case "updateUser":
    case "grantRolesToUser":
    case "revokeRolesFromUser":
      return allowed(session, database, name) ?? changeUser(session, database, name, args);
    default:
      return { text: "", error: `TypeError: db.${name} is not a function` };
  }
}

const databases = ["admin", "config", "local"];

/** Parameters that can be set while the server runs. Nothing of what is simulated depends on them. */
const parameters: Readonly<Record<string, string>> = {
  cursorTimeoutMillis: "600000",
  logLevel: "0",
  maxTransactionLockRequestTimeoutMillis: "5",
  notablescan: "false",
  quiet: "false",
  transactionLifetimeLimitSeconds: "60",
  ttlMonitorEnabled: "true",
  ttlMonitorSleepSecs: "60",
};

function runCommand(session: MongoSession, database: string, args: string): MongoReply {
  const [, command = "", first = ""] = /^\s*\{\s*['"]?(\w+)['"]?\s*:\s*([^,}]+)/.exec(args) ?? [];
  if (command === "listDatabases")
    return { text: json({ databases: databases.map((name) => ({ name })), ok: 1 }) };
  if (command !== "getParameter" && command !== "setParameter") return { text: '{ "ok" : 1 }' };
  const isHost = session.user?.roles.some(({ role }) =>
    ["root", "hostManager", "clusterAdmin"].includes(role),
  );
  if (database !== "admin" || (!session.isFree && !isHost)) {
    const errmsg = `not authorized on ${database} to execute command { ${command}: ${first.trim()} }`;
    return { text: json({ ok: 0, errmsg, code: 13, codeName: "Unauthorized" }) };
  }
  const known = { ...parameters, ...session.state.parameters };
  const asked = [...args.matchAll(/['"]?(\w+)['"]?\s*:\s*['"]?([\w.-]+)/g)].slice(1);
  if (command === "getParameter") {
    const shownOf = Object.entries(known).filter(
      ([name]) => first.includes("*") || asked.some(([, one]) => one === name),
    );
    return {
      text: json({ ...Object.fromEntries(shownOf.map(([name, text]) => [name, JSON.parse(text)])), ok: 1 }),
    };
  }
  const [, name = "", value = ""] = asked[0] ?? [];
  if (!Object.hasOwn(parameters, name) || !/^(\d+|true|false)$/.test(value)) {
    const errmsg = `attempted to set unrecognized parameter [${name}], use help:true to see options `;
    return { text: json({ ok: 0, errmsg, code: 72, codeName: "InvalidOptions" }) };
  }
  const was = JSON.parse(known[name] ?? "null");
  session.state = { ...session.state, parameters: { ...session.state.parameters, [name]: value } };
  return { text: json({ was, ok: 1 }) };
}

/** Why the session's user may not; undefined: it may. Users live in `admin`, whose administrators alone may change them. */
function allowed(
  { isFree, user, isLocal }: MongoSession,
  database: string,
  what: string,
): MongoReply | undefined {
  if (isFree && (isLocal || user === undefined)) return undefined;
  if (!user) return { text: "", error: `command ${what} requires authentication` };
  return mongoMay(user.roles, "administer users", database)
    ? undefined
    : { text: "", error: `not authorized on ${database} to execute command { ${what}: 1.0 }` };
}

function createUser(session: MongoSession, args: string): MongoReply {
  const given = mongoUserOf(args);
  if (!given) return { text: "", error: 'couldn\'t add user: "user" and "pwd" are required' };
  const { user, pwd, roles } = given;
  if (session.state.users.some((one) => one.user === user))
    return { text: "", error: `couldn't add user: User "${user}@admin" already exists` };
  session.state = {
    ...session.state,
    users: [...session.state.users, { user, digest: mongoDigest(user, pwd), roles }],
  };
  return { text: `Successfully added user: ${json({ user, roles })}` };
}

function dropUser(session: MongoSession, name: string): MongoReply {
  const users = session.state.users.filter(({ user }) => user !== name);
  const isKnown = users.length < session.state.users.length;
  session.state = { ...session.state, users };
  return { text: String(isKnown) };
}

function changeUser(session: MongoSession, database: string, name: string, args: string): MongoReply {
  const who = firstText(args);
  const known = session.state.users.find(({ user }) => user === who);
  if (!known) return { text: "", error: `Could not find user "${who}" for db "${database}"` };
  const rest = args.slice(args.indexOf(who) + who.length + 1).replace(/^\s*,\s*/, "");
  const changed = changeOf(known, name, rest, database);
  session.state = {
    ...session.state,
    users: session.state.users.map((one) => (one === known ? changed : one)),
  };
  return { text: "" };
}

function changeOf(known: MongoUser, name: string, rest: string, database: string): MongoUser {
  const plain = [...rest.matchAll(/(?:^|[[,])\s*['"](\w+)['"](?=\s*[\],]|$)/g)];
  const roles = [...mongoRolesIn(rest), ...plain.map(([, role = ""]) => ({ role, db: database }))];
  const same = (one: { role: string; db: string }): boolean =>
    roles.some(({ role, db }) => role === one.role && db === one.db);
  if (name === "revokeRolesFromUser") return { ...known, roles: known.roles.filter((one) => !same(one)) };
  if (name === "grantRolesToUser")
    return { ...known, roles: [...known.roles.filter((one) => !same(one)), ...roles] };
  const pwd =
    name === "changeUserPassword" ? firstText(rest) : /["']?\bpwd["']?\s*:\s*(["'])(.*?)\1/.exec(rest)?.[2];
  return {
    ...known,
    ...(pwd !== undefined && { digest: mongoDigest(known.user, pwd) }),
    ...(/\broles\b/.test(rest) && name === "updateUser" && { roles: mongoRolesIn(rest) }),
  };
}

const shown = ({ user, roles }: MongoUser) => ({
  _id: `admin.${user}`,
  user,
  db: "admin",
  roles,
  mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-256"],
});

const stored = ({ user, digest, roles }: MongoUser) => ({
  _id: `admin.${user}`,
  user,
  db: "admin",
  credentials: { "SCRAM-SHA-256": { iterationCount: 15_000, storedKey: digest } },
  roles,
});

/** As the shell prints objects: with tabs, and a space before each colon. */
const json = (value: unknown): string => JSON.stringify(value, null, "\t").replace(/^(\t*"\w+"):/gm, "$1 :");
