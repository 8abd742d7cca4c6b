/** What a MongoDB user may do: a built-in role on a database. */
export interface MongoRole {
  readonly role: string;
  readonly db: string;
}

/** A user as `db.createUser` is given one; its own database is `admin`. */
export interface MongoUserText {
  readonly user: string;
  readonly pwd: string;
  readonly roles: readonly MongoRole[];
}

/** The object of a `createUser`: an object of a role is never followed by a bracket that closes a call. */
const created = /\bdb\.createUser\(\s*(\{[\s\S]*?\})\s*\)/g;

/** The users that a script for the mongo shell creates, in its order. Names and passwords are read as they are written. */
export function mongoUsersIn(script: string): MongoUserText[] {
  return [...script.matchAll(created)].flatMap(([, text = ""]) => {
    const user = mongoUserOf(text);
    return user ? [user] : [];
  });
}

/** A user object as JavaScript writes it: `{user: 'a', pwd: 'b', roles: [...]}`. Undefined: it names none. */
export function mongoUserOf(text: string): MongoUserText | undefined {
  const value = (key: string): string | undefined =>
    new RegExp(`["']?\\b${key}["']?\\s*:\\s*(["'])(.*?)\\1`).exec(text)?.[2];
  const [user, pwd] = [value("user"), value("pwd")];
  return user === undefined || pwd === undefined ? undefined : { user, pwd, roles: mongoRolesIn(text) };
}

/** Roles with their databases: `{role: 'readWrite', db: 'shop'}`. */
export function mongoRolesIn(text: string): MongoRole[] {
  const role = /\{\s*["']?role["']?\s*:\s*(["'])(\w+)\1\s*,\s*["']?db["']?\s*:\s*(["'])([\w-]+)\3\s*\}/g;
  return [...text.matchAll(role)].map(([, , name = "", , db = ""]) => ({ role: name, db }));
}

/** Whether a user with these roles may read, write, or change users of a database. */
export function mongoMay(
  roles: readonly MongoRole[],
  what: "read" | "write" | "administer users",
  database: string,
): boolean {
  const own = { read: ["read", "readWrite"], write: ["readWrite"], "administer users": ["userAdmin"] }[what];
  const any = {
    read: ["readAnyDatabase", "readWriteAnyDatabase"],
    write: ["readWriteAnyDatabase"],
    "administer users": ["userAdminAnyDatabase"],
  }[what];
  return roles.some(
    ({ role, db }) =>
      (db === database && [...own, "dbOwner"].includes(role)) ||
      (db === "admin" && [...any, "root"].includes(role)),
  );
}
