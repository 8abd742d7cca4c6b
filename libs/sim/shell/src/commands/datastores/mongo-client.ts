import {
  type MongoTlsMode,
  type MongoUser,
  mongoServer,
  mongoUser,
  writeMongo,
} from "@microremed/sim-machine";
import type { Command, CommandContext } from "../../container/command.types.ts";
import { parseOptions } from "../../container/options.ts";
import { type MongoSession, runMongo, statementsOf } from "./run-mongo.ts";

/** Exit code of the shell after an exception in a script. */
const uncaught = 252;

const tlsFlags = ["tls", "ssl", "tlsAllowInvalidCertificates", "tlsAllowInvalidHostnames"];
const tlsFiles = ["tlsCAFile", "tlsCertificateKeyFile"];

/** `mongo`, the shell of MongoDB 4: what `--eval` or stdin says, as far as it is about users, databases and the server. */
export const mongo: Command = async (context) => {
  const { deps, sandbox, signal } = context;
  const { values, flags, rest } = parseOptions(
    context.args,
    ["quiet", "norc", "version", ...tlsFlags],
    ["u", "p", "h", "host", "port", "username", "password", "authenticationDatabase", "eval", ...tlsFiles],
  );
  if (flags.has("version")) {
    context.out("MongoDB shell version v4.4.6\n");
    return 0;
  }
  const [, host = values.get("host") ?? values.get("h") ?? "127.0.0.1", database = "test"] =
    /^(?:([^/]+)\/)?(.*)$/.exec(rest[0] ?? "test") ?? [];
  const port = Number(values.get("port") ?? 27017);
  const tried = deps.network.tcpConnect(sandbox, host, port, 10_000);
  await deps.loop.sleep(tried.elapsedMs, signal);
  const by = tried.ok ? (tried.by ?? { sandbox, container: context.container }) : undefined;
  if (by?.container.behaviour?.runtime !== "mongodb") {
    const why = tried.ok ? "network error" : tried.error;
    context.err(`Error: couldn't connect to server ${host}:${port}, connection attempt failed: ${why}\n`);
    return 1;
  }
  const server = mongoServer(by.sandbox, by.container);
  const unfit = tlsError(server.settings.tls, {
    isUsed: flags.has("tls") || flags.has("ssl"),
    trusts: flags.has("tlsAllowInvalidCertificates") || values.has("tlsCAFile"),
  });
  if (unfit !== undefined) {
    context.err(`Error: couldn't connect to server ${host}:${port}, connection attempt failed: ${unfit}\n`);
    return 1;
  }
  const name = values.get("u") ?? values.get("username");
  const password = values.get("p") ?? values.get("password") ?? "";
  const user = name === undefined ? undefined : mongoUser(server.state, { user: name, password });
  if (name !== undefined && !user) {
    context.err("Error: Authentication failed. :\nconnect@src/mongo/shell/mongo.js:374:17\n");
    return 1;
  }
  if (!flags.has("quiet")) banner(context, `mongodb://${host}:${port}/${database}`);
  const session: MongoSession = {
    ...{ database, state: server.state, isFree: isFree(server.needsLogin, server.state.users) },
    ...{ user, isLocal: host === "127.0.0.1" || host === "localhost" },
  };
  const script = values.get("eval") ?? Buffer.from(await context.stdin()).toString();
  let code = 0;
  for (const statement of statementsOf(script)) {
    const { text, error } = runMongo(session, statement);
    if (text !== "") context.out(`${text}\n`);
    if (error === undefined) continue;
    context.err(`uncaught exception: Error: ${error} :\n@(shell eval):1:1\n`);
    code = uncaught;
    break;
  }
  if (session.state !== server.state) writeMongo(server, session.state);
  return code;
};

/** Why the shell and the server do not come together; undefined: they do. `trusts`: any certificate, or those of a file. */
function tlsError(
  mode: MongoTlsMode,
  { isUsed, trusts }: { readonly isUsed: boolean; readonly trusts: boolean },
): string | undefined {
  if (!isUsed)
    return mode === "requireTLS" ? "network error while attempting to run command 'isMaster'" : undefined;
  if (mode === "disabled") return "SocketException: stream truncated";
  return trusts
    ? undefined
    : "SSLHandshakeFailed: SSL peer certificate validation failed: self signed certificate";
}

/** Without users anybody on the machine may make the first. */
const isFree = (needsLogin: boolean, users: readonly MongoUser[]): boolean =>
  !needsLogin || users.length === 0;

function banner({ out }: CommandContext, url: string): void {
  out(
    `MongoDB shell version v4.4.6\nconnecting to: ${url}?compressors=disabled&gssapiServiceName=mongodb\nMongoDB server version: 4.4.6\n`,
  );
}
