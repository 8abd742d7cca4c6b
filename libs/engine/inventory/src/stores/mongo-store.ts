import { type MongoUserText, mongoMay, mongoUsersIn } from "@microremed/catalogue/environment";
import { isJsonObject, parseJson, shellWord } from "@microremed/core";
import { type StoreKind, type StoreState, sectionOf } from "./store-state.ts";

/** What is asked, a line of JSON for each: users with what they log in by, roles of its own, databases, parameters. */
const questions = [
  "db.getSiblingDB('admin').system.users.find().toArray()",
  "db.getSiblingDB('admin').system.roles.find().toArray()",
  "db.adminCommand({listDatabases: 1, nameOnly: true})",
  "db.adminCommand({getParameter: '*'})",
];
const statements = questions.map((one) => `print(JSON.stringify(${one}))`).join("; ");
/** Administrators that the image's variables and scripts declare; each is tried. */
const mostLogins = 5;
/** The server's words to who may not ask; where no server takes the connection, others are said. */
const isRefusal = /Authentication failed|requires authentication|not authorized/;
/** Where the server takes no other connections. */
const byTls = "--tls --tlsAllowInvalidCertificates";
/** Databases of the server's own, which it makes by itself. */
const own: ReadonlySet<string> = new Set(["admin", "config", "local"]);

/** MongoDB 4 and later. What collections hold is not asked for. */
export const mongoStore: StoreKind = {
  usualPort: 27017,
  varies: /^(ok|operationTime|\$.*|authenticationMechanisms)$/,
  observes:
    /^(quiet|log(Level|ComponentVerbosity|UserIds)|traceExceptions|traceWriteConflictExceptions|diagnostic.*|redactClientLogData|tcmalloc.*)$/,
  room: /^(maxSessions|connPoolMax.*)$/,
  unlimited: /(?!)/,
  makesDatabases: true,
  script: [
    "echo @scripts; cat /docker-entrypoint-initdb.d/* 2>/dev/null",
    'echo @root; echo "$MONGO_INITDB_ROOT_USERNAME"; echo "$MONGO_INITDB_ROOT_PASSWORD"',
    "echo @client; command -v mongosh || command -v mongo || exit 127",
  ].join("; "),
  further(printed) {
    const [client = "mongo"] = sectionOf(printed, "client").filter((line) => line !== "");
    const logins = ["", ...administratorsIn(printed).map(loginOf)];
    const ask = shellWord(statements);
    return logins
      .map((login) => `--port $PORT admin ${login} --quiet --eval ${ask} 2>&1`)
      .map((words) => `echo @state; ${client} ${words} || ${client} ${byTls} ${words}`)
      .join("; ");
  },
  read(printed) {
    const answers = printed.split(/^@state\r?\n/m).slice(1);
    const [state] = answers.flatMap((answer) => stateIn(answer) ?? []);
    const refusal = answers
      .flatMap((answer) => answer.split(/\r?\n/))
      .findLast((line) => isRefusal.test(line));
    return state ?? (refusal === undefined ? undefined : { refused: refusal.slice(0, 120) });
  },
};

const loginOf = ({ user, pwd }: Pick<MongoUserText, "user" | "pwd">): string =>
  `-u ${shellWord(user)} -p ${shellWord(pwd)}`;

function administratorsIn(printed: string): Pick<MongoUserText, "user" | "pwd">[] {
  const [user = "", pwd = ""] = sectionOf(printed, "root");
  const scripted = mongoUsersIn(sectionOf(printed, "scripts").join("\n"));
  return [
    ...(user === "" ? [] : [{ user, pwd }]),
    ...scripted.filter(({ roles }) => mongoMay(roles, "administer users", "admin")),
  ].slice(0, mostLogins);
}

/** Undefined: the login was refused, or the client printed something else. */
function stateIn(answer: string): StoreState | undefined {
  const [users, roles, databases, parameters] = answer
    .split(/\r?\n/)
    .filter((line) => /^[[{]/.test(line))
    .map((line) => parseJson(line));
  if (!Array.isArray(users)) return undefined;
  const accounts = users.flatMap((one) => accountIn(one, "roles") ?? []);
  const further = (Array.isArray(roles) ? roles : []).flatMap((one) => accountIn(one, "privileges") ?? []);
  return {
    settings: Object.fromEntries(
      Object.entries(isJsonObject(parameters) && parameters["ok"] === 1 ? parameters : {}).map(
        ([name, value]) => [name, JSON.stringify(value)],
      ),
    ),
    logins: Object.fromEntries([...accounts, ...further].map(({ name, login }) => [name, login])),
    rights: Object.fromEntries([...accounts, ...further].map(({ name, rights }) => [name, rights])),
    databases: namesIn(databases).filter((name) => !own.has(name)),
  };
}

/** A user, or a role of the server's own, by its database. */
function accountIn(found: unknown, field: "roles" | "privileges") {
  if (!isJsonObject(found)) return undefined;
  const isUser = field === "roles";
  const name = `${isUser ? "" : "role "}${found[isUser ? "user" : "role"]}@${found["db"]}`;
  const listed = Array.isArray(found[field]) ? (found[field] as readonly unknown[]) : [];
  const inherited = !isUser && Array.isArray(found["roles"]) ? (found["roles"] as readonly unknown[]) : [];
  const rights = [...listed, ...inherited].map((one) =>
    isJsonObject(one) && typeof one["role"] === "string"
      ? `${one["role"]} ON ${one["db"]}`
      : JSON.stringify(one),
  );
  return { name, login: JSON.stringify(found["credentials"] ?? ""), rights: rights.sort() };
}

function namesIn(databases: unknown): string[] {
  const listed = isJsonObject(databases) ? databases["databases"] : undefined;
  return (Array.isArray(listed) ? (listed as readonly unknown[]) : []).flatMap((one) =>
    isJsonObject(one) && typeof one["name"] === "string" ? [one["name"]] : [],
  );
}
