import { askServer } from "./ask-server.ts";
import { findProgram } from "./find-program.ts";
import { freePort } from "./free-port.ts";
import { type RunningServer, startServerProcess, unlessInUse } from "./server-process.ts";

export interface RedisServerOptions {
  /** Where its append-only file lives; kept after the stop. Default: a temporary folder. */
  readonly dir?: string;
  /** Default: a free one. */
  readonly port?: number;
  readonly password?: string;
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
  const { password } = options;
  const login = password === undefined ? "" : `AUTH ${JSON.stringify(password)}\r\n`;
  return startServerProcess({
    name: "redis-server",
    program,
    dir: options.dir,
    config: (dir) => redisConfig(dir, port, password),
    args: (file) => [file],
    answer: async () => ((await askServer(port, `${login}PING\r\n`, "+PONG")) ? port : undefined),
    url: () =>
      password === undefined
        ? `redis://127.0.0.1:${port}`
        : `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`,
  });
}

function redisConfig(dir: string, port: number, password: string | undefined): string {
  const lines = [
    "bind 127.0.0.1",
    `port ${port}`,
    `dir ${JSON.stringify(dir)}`,
    "daemonize no",
    'save ""',
    "appendonly yes",
    "appendfsync everysec",
    "maxmemory-policy noeviction",
  ];
  if (password !== undefined) lines.push(`requirepass ${JSON.stringify(password)}`);
  return `${lines.join("\n")}\n`;
}
