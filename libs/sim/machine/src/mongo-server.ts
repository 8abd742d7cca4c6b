import { createHash } from "node:crypto";
import { type MongoRole, mongoMay, mongoUsersIn } from "@microremed/environments";
import { childrenOf, fileAt, locate } from "./layers.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";
import { packState, unpackState } from "./packed-state.ts";

/** A user of a MongoDB server; all are users of its database `admin`. */
export interface MongoUser {
  readonly user: string;
  /** Of name and password. */
  readonly digest: string;
  readonly roles: readonly MongoRole[];
}

/** What a MongoDB server keeps in its data directory, as far as it is simulated: no collections, no documents. */
export interface MongoState {
  readonly users: readonly MongoUser[];
}

/** A server as clients find it. */
export interface MongoServer {
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  readonly state: MongoState;
  /** It was started with `--auth`, or with a root user in its variables. */
  readonly needsLogin: boolean;
}

const dataFile = "/data/db/WiredTiger.wt";
const scriptFolder = "/docker-entrypoint-initdb.d";

/** How a server keeps a password. */
export const mongoDigest = (user: string, pwd: string): string =>
  createHash("sha256").update(`${user}:mongo:${pwd}`).digest("hex");

/** The server in a container. Its data directory is made if it is empty, as the image's entry point does. */
export function mongoServer(sandbox: PodSandbox, container: ContainerRuntime): MongoServer {
  const bytes = mongoMark(sandbox, container);
  const known = bytes && unpackState<MongoState>(bytes);
  const state = known ?? freshMongo(sandbox, container);
  const server = {
    ...{ sandbox, container, state },
    needsLogin:
      container.command.includes("--auth") || container.env["MONGO_INITDB_ROOT_USERNAME"] !== undefined,
  };
  if (!known) writeMongo(server, state);
  return server;
}

/** Writes what a command made of the state. */
export function writeMongo(
  { sandbox, container }: Pick<MongoServer, "sandbox" | "container">,
  next: MongoState,
): void {
  const { tree, key } = locate(sandbox, container, dataFile);
  tree.set(key, packState(next));
}

/** What changes whenever a server's data does. */
export const mongoMark = (sandbox: PodSandbox, container: ContainerRuntime): Uint8Array | undefined =>
  fileAt(locate(sandbox, container, dataFile));

function freshMongo(sandbox: PodSandbox, container: ContainerRuntime): MongoState {
  const { MONGO_INITDB_ROOT_USERNAME: root, MONGO_INITDB_ROOT_PASSWORD: pwd = "" } = container.env;
  const first = root === undefined ? [] : [{ user: root, pwd, roles: [{ role: "root", db: "admin" }] }];
  const scripts = childrenOf(locate(sandbox, container, scriptFolder))
    .toSorted()
    .map((name) => fileAt(locate(sandbox, container, `${scriptFolder}/${name}`)))
    .map((bytes) => Buffer.from(bytes ?? []).toString());
  const users = [...first, ...scripts.flatMap(mongoUsersIn)];
  return { users: users.map(({ user, pwd, roles }) => ({ user, digest: mongoDigest(user, pwd), roles })) };
}

/** Who a client counts as; undefined: it gave no name, or a wrong one. */
export const mongoUser = (
  { users }: MongoState,
  login: { readonly user: string; readonly password: string } | undefined,
): MongoUser | undefined =>
  login &&
  users.find(({ user, digest }) => user === login.user && digest === mongoDigest(user, login.password));

/** Why a server refuses a program's queries, in the words of Go's driver; undefined: it does not. */
export function mongoRefusal(
  { state, needsLogin }: MongoServer,
  login: { readonly user: string; readonly password: string; readonly database: string } | undefined,
): { readonly read?: string; readonly write?: string } {
  if (!needsLogin) return {};
  if (!login) return { read: "command find requires authentication" };
  const user = mongoUser(state, login);
  if (!user) return { read: "server returned error on SASL authentication step: Authentication failed." };
  const refused = (command: string): string =>
    `not authorized on ${login.database} to execute command { ${command}: "${login.database}" }`;
  if (!mongoMay(user.roles, "read", login.database)) return { read: refused("find") };
  return mongoMay(user.roles, "write", login.database) ? {} : { write: refused("insert") };
}
