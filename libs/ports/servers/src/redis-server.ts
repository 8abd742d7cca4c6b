import { askServer } from "./ask-server.ts";
import { findProgram } from "./find-program.ts";
import { freePort } from "./free-port.ts";
import type { Passwords } from "./passwords.ts";
import { redisAcl } from "./redis-acl.ts";
import { type RunningServer, startServerProcess, unlessInUse } from "./server-process.ts";
import type { ServerTls } from "./server-tls.ts";

/** Where a redis-server keeps its files, where it listens and which users it knows. */
export interface RedisServerOptions {
  /** Where its append-only file lives; kept after the stop. Default: a temporary folder. */
  readonly dir?: string;
  /** Default: a free one. */
  readonly port?: number;
  readonly password?: string;
  /** The product's users, each with its rights, instead of one password; the URL is the admin's. */
  readonly passwords?: Passwords;
  /** Clients must then encrypt. */
  readonly tls?: ServerTls;
}

const howToGet =
  "Install it with `apt-get install redis-server` (Debian, Ubuntu) or `brew install redis` (macOS).";

/** A private redis-server on 127.0.0.1 that keeps an append-only file. Throws `missing-tool` when there is none. */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RunningServer> {
  const program = await findProgram("redis-server", howToGet);
  // Redis cannot be asked to choose a port, and a free one may be taken before it listens: then the next is tried.
  return unlessInUse(async () => startOn(program, options.port ?? (await freePort()), options));
}

function startOn(program: string, port: number, options: RedisServerOptions): Promise<RunningServer> {
  const { passwords, tls } = options;
  const password = passwords?.admin ?? options.password;
  const user = passwords ? "admin" : "";
  const words = [...(user === "" ? [] : [user]), JSON.stringify(password)];
  const login = password === undefined ? "" : `AUTH ${words.join(" ")}\r\n`;
  const access = password === undefined ? "" : `${user}:${encodeURIComponent(password)}@`;
  return startServerProcess({
    name: "redis-server",
    program,
    dir: options.dir,
    config: (dir) => redisConfig(dir, port, options),
    args: (file) => [file],
    answer: async () => ((await askServer(port, `${login}PING\r\n`, "+PONG", tls)) ? port : undefined),
    url: () => `${tls ? "rediss" : "redis"}://${access}127.0.0.1:${port}`,
  });
}

function redisConfig(dir: string, port: number, { password, passwords, tls }: RedisServerOptions): string {
  const lines = [
    "bind 127.0.0.1",
    ...(tls ? ["port 0", `tls-port ${port}`, ...tlsLines(tls)] : [`port ${port}`]),
    `dir ${JSON.stringify(dir)}`,
    "daemonize no",
    'save ""',
    "appendonly yes",
    // Every write reaches the file before it is confirmed, so that a killed Redis forgets nothing. With `everysec` it
    // would wait for a sync that is under way, up to two seconds; only a crash of the machine may cost more like this.
    "appendfsync no",
    "maxmemory-policy noeviction",
  ];
  if (passwords) lines.push(redisAcl((user) => passwords[user]));
  else if (password !== undefined) lines.push(`requirepass ${JSON.stringify(password)}`);
  return `${lines.join("\n")}\n`;
}

function tlsLines({ certFile, keyFile, clientCaFile }: ServerTls): string[] {
  return [
    `tls-cert-file ${JSON.stringify(certFile)}`,
    `tls-key-file ${JSON.stringify(keyFile)}`,
    ...(clientCaFile === undefined
      ? ["tls-auth-clients no"]
      : ["tls-auth-clients yes", `tls-ca-cert-file ${JSON.stringify(clientCaFile)}`]),
  ];
}
