import { createHash, X509Certificate } from "node:crypto";
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
  /** Parameters that were set; the others are as the server has them. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Which connections a server takes: none by TLS, both kinds, or those by TLS alone. */
export type MongoTlsMode = "disabled" | "allowTLS" | "preferTLS" | "requireTLS";

/** What a server's command line and its configuration file say, which it reads when it starts. */
export interface MongoSettings {
  readonly type: "mongodb";
  readonly tls: MongoTlsMode;
  /** The file with its certificate and key; undefined: none. */
  readonly certificate: string | undefined;
}

/** A server as clients find it. */
export interface MongoServer {
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  readonly state: MongoState;
  /** It was started with `--auth`, or with a root user in its variables. */
  readonly needsLogin: boolean;
  readonly settings: MongoSettings;
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
    settings: mongoSettings(sandbox, container),
  };
  if (!known) writeMongo(server, state);
  return server;
}

/** What the server in a container was started with. The command line goes before the file. */
export function mongoSettings(sandbox: PodSandbox, container: ContainerRuntime): MongoSettings {
  if (container.datastore?.type === "mongodb") return container.datastore;
  const option = (...names: string[]): string | undefined => optionOf(container.command, names);
  const path = option("--config", "-f");
  const file = Buffer.from((path && fileAt(locate(sandbox, container, path))) || []).toString();
  const { mode, certificateKeyFile } = tlsIn(file);
  const settings: MongoSettings = {
    type: "mongodb",
    tls: modeOf(option("--tlsMode", "--sslMode") ?? mode),
    certificate: option("--tlsCertificateKeyFile", "--sslPEMKeyFile") ?? certificateKeyFile,
  };
  container.datastore = settings;
  return settings;
}

/** Why the server in a container ends when it starts at `now` (ms), in its words; undefined: it does not, or it is none. */
export function mongoStartError(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  now: number,
): string | undefined {
  if (container.behaviour?.runtime !== "mongodb") return undefined;
  const { tls, certificate } = mongoSettings(sandbox, container);
  if (tls === "disabled") return undefined;
  if (certificate === undefined)
    return "BadValue: need tlsCertificateKeyFile or certificateSelector when TLS is enabled";
  const pem = Buffer.from(fileAt(locate(sandbox, container, certificate)) ?? []).toString();
  const isWhole = /-----BEGIN CERTIFICATE-----/.test(pem) && /-----BEGIN (?:\w+ )?PRIVATE KEY-----/.test(pem);
  if (!isWhole) return "InvalidSSLConfiguration: Can not set up PEM key file.";
  const ended = endOf(pem);
  return ended !== undefined && ended < now
    ? `InvalidSSLConfiguration: the server's certificate has expired: notAfter ${new Date(ended).toISOString()}`
    : undefined;
}

/** Until when a certificate is valid, ms; undefined: it cannot be read. */
function endOf(pem: string): number | undefined {
  try {
    return Date.parse(new X509Certificate(pem).validTo);
  } catch {
    return undefined;
  }
}

/** The value of the first of these options, after a blank or `=`. */
function optionOf(command: readonly string[], names: readonly string[]): string | undefined {
  for (const [at, word] of command.entries()) {
    const [name = "", value] = word.split(/=(.*)/s);
    if (names.includes(name)) return value ?? command[at + 1];
  }
  return undefined;
}

/** The settings below `net.tls` (`net.ssl` before 4.2) of a configuration file. */
function tlsIn(file: string): Readonly<Record<string, string | undefined>> {
  const block =
    /^net:[^\n]*\n(?:[ \t]+[^\n]*\n|\s*\n)*?([ \t]+)(?:tls|ssl):[^\n]*\n((?:\1[ \t]+[^\n]*(?:\n|$))*)/m.exec(
      file,
    );
  const lines = (block?.[2] ?? "").matchAll(/^\s*(\w+):\s*["']?([^"'\n#]*?)["']?\s*(?:#.*)?$/gm);
  return Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value]));
}

const modes: Readonly<Record<string, MongoTlsMode>> = {
  allowTLS: "allowTLS",
  allowSSL: "allowTLS",
  preferTLS: "preferTLS",
  preferSSL: "preferTLS",
  requireTLS: "requireTLS",
  requireSSL: "requireTLS",
};
const modeOf = (text: string | undefined): MongoTlsMode => modes[text ?? ""] ?? "disabled";

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

/** Why a server refuses a program's queries, in the words of Go's driver; undefined: it does not. No program uses TLS. */
export function mongoRefusal(
  { state, needsLogin, settings }: MongoServer,
  login: { readonly user: string; readonly password: string; readonly database: string } | undefined,
): { readonly read?: string; readonly write?: string } {
  if (settings.tls === "requireTLS")
    return { read: "no suitable server found: the connection was closed during the handshake" };
  if (!needsLogin) return {};
  if (!login) return { read: "command find requires authentication" };
  const user = mongoUser(state, login);
  if (!user) return { read: "server returned error on SASL authentication step: Authentication failed." };
  const refused = (command: string): string =>
    `not authorized on ${login.database} to execute command { ${command}: "${login.database}" }`;
  if (!mongoMay(user.roles, "read", login.database)) return { read: refused("find") };
  return mongoMay(user.roles, "write", login.database) ? {} : { write: refused("insert") };
}
