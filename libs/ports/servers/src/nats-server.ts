import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { askServer } from "./ask-server.ts";
import { findProgram } from "./find-program.ts";
import { natsAuthorization } from "./nats-authorization.ts";
import type { Passwords } from "./passwords.ts";
import { type RunningServer, startServerProcess, unlessInUse } from "./server-process.ts";
import type { ServerTls } from "./server-tls.ts";

/** Where a nats-server keeps its files, where it listens and which users it knows. */
export interface NatsServerOptions {
  /** Where its streams live; kept after the stop. Default: a temporary folder. */
  readonly dir?: string;
  /** Default: one that the system gives. */
  readonly port?: number;
  /** Both or neither: clients must then present them. */
  readonly user?: string;
  readonly password?: string;
  /** The product's users, each with its rights, instead of one user. */
  readonly passwords?: Passwords;
  /** Clients must then encrypt. */
  readonly tls?: ServerTls;
  /** Default: true. */
  readonly jetstream?: boolean;
}

const howToGet =
  "Install it with `apt-get install nats-server` (Debian, Ubuntu) or `brew install nats-server` (macOS).";

/** A private nats-server on 127.0.0.1. Throws `missing-tool` when there is none. */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<RunningServer> {
  const program = await findProgram("nats-server", howToGet);
  return unlessInUse(() => startOn(program, options));
}

function startOn(program: string, options: NatsServerOptions): Promise<RunningServer> {
  return startServerProcess({
    name: "nats-server",
    program,
    dir: options.dir,
    config: (dir) => natsConfig(options, dir),
    args: (file) => ["-c", file],
    answer: async (dir, pid) => {
      const port = await portFromFile(join(dir, `nats-server_${pid}.ports`));
      return port !== undefined && (await askServer(port, "", "INFO {")) ? port : undefined;
    },
    url: (port) => `${options.tls ? "tls" : "nats"}://127.0.0.1:${port}`,
  });
}

function natsConfig(options: NatsServerOptions, dir: string): string {
  const lines = [
    `listen: "127.0.0.1:${options.port ?? -1}"`,
    `ports_file_dir: ${JSON.stringify(dir)}`,
    "max_payload: 1MB",
    "write_deadline: 10s",
  ];
  if (options.jetstream ?? true)
    lines.push(`jetstream { store_dir: ${JSON.stringify(join(dir, "jetstream"))} }`);
  const { passwords, tls } = options;
  if (tls) lines.push(tlsBlock(tls));
  if (passwords) lines.push(natsAuthorization((user) => passwords[user]));
  else if (options.user !== undefined && options.password !== undefined) {
    const login = `user: ${JSON.stringify(options.user)}, password: ${JSON.stringify(options.password)}`;
    lines.push(`authorization { ${login} }`);
  }
  return `${lines.join("\n")}\n`;
}

function tlsBlock({ certFile, keyFile, clientCaFile }: ServerTls): string {
  const server = `cert_file: ${JSON.stringify(certFile)}, key_file: ${JSON.stringify(keyFile)}`;
  const clients =
    clientCaFile === undefined ? "" : `, ca_file: ${JSON.stringify(clientCaFile)}, verify: true`;
  return `tls { ${server}${clients} }`;
}

async function portFromFile(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const port = /(?:nats|tls):\/\/[^"]*:(\d+)/.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
}
