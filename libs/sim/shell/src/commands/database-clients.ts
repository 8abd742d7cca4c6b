import type { Attempted } from "@microremed/sim-machine";
import type { Command, CommandContext } from "../container/command.types.ts";
import { parseOptions } from "../container/options.ts";

async function connect(
  context: CommandContext,
  host: string,
  port: number,
  timeoutMs = 10_000,
): Promise<Attempted> {
  const { deps, sandbox, signal } = context;
  const attempted = deps.network.tcpConnect(sandbox, host, port, timeoutMs);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  return attempted;
}

/** `redis-cli ping` and the few commands that need no data. */
export const redisCli: Command = async (context) => {
  const { values, rest } = parseOptions(context.args, ["no-auth-warning"], ["h", "p", "a", "n"]);
  const host = values.get("h") ?? "127.0.0.1";
  const port = Number(values.get("p") ?? 6379);
  const attempted = await connect(context, host, port);
  if (!attempted.ok) {
    context.err(`Could not connect to Redis at ${host}:${port}: ${reason(attempted)}\n`);
    return 1;
  }
  const command = rest.join(" ").toLowerCase();
  const uptime = Math.floor((context.deps.loop.now() - context.container.startedAt) / 1000);
  if (command === "ping") context.out("PONG\n");
  else if (command === "dbsize") context.out("(integer) 1\n");
  else if (command.startsWith("info"))
    context.out(`# Server\r\nredis_version:7.0.4\r\nuptime_in_seconds:${uptime}\r\n`);
  else context.out("(nil)\n");
  return 0;
};

const reason = ({ error }: Attempted): string =>
  /time/i.test(error) ? "Connection timed out" : "Connection refused";

async function mysqlConnection(
  context: CommandContext,
): Promise<{ rest: readonly string[]; query: string | undefined } | undefined> {
  const args = context.args.map((arg) => (/^-p.+/.test(arg) ? "-p" : arg));
  const { values, rest } = parseOptions(
    args,
    ["p", "s", "N", "B", "silent", "skip-column-names", "password"],
    ["h", "P", "u", "e", "host", "port", "user", "password", "execute", "connect-timeout", "protocol"],
  );
  const host = values.get("h") ?? values.get("host") ?? "127.0.0.1";
  const port = Number(values.get("P") ?? values.get("port") ?? 3306);
  const attempted = await connect(context, host === "localhost" ? "127.0.0.1" : host, port);
  if (attempted.ok) return { rest, query: values.get("e") ?? values.get("execute") };
  const local = host === "127.0.0.1" || host === "localhost";
  context.err(
    local
      ? `${context.name === "mysqladmin" ? "mysqladmin: connect to server at 'localhost' failed\nerror: '" : "ERROR 2002 (HY000): "}Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)${context.name === "mysqladmin" ? "'" : ""}\n`
      : `ERROR 2003 (HY000): Can't connect to MySQL server on '${host}:${port}' (111)\n`,
  );
  return undefined;
}

/** `mysql -e`: `SELECT <number>` gives its row, other statements succeed without rows. */
export const mysql: Command = async (context) => {
  const connection = await mysqlConnection(context);
  if (!connection) return 1;
  const value = /select\s+(\d+)/i.exec(connection.query ?? "")?.[1];
  if (value) context.out(`${value}\n${value}\n`);
  return 0;
};

/** `mysqladmin ping|status`. */
export const mysqladmin: Command = async (context) => {
  const connection = await mysqlConnection(context);
  if (!connection) return 1;
  if (connection.rest.includes("ping")) context.out("mysqld is alive\n");
  else
    context.out(
      `Uptime: ${Math.floor((context.deps.loop.now() - context.container.startedAt) / 1000)}  Threads: 2\n`,
    );
  return 0;
};

/** `grpc_health_probe`: costs CPU in the container's own cgroup, like the kubelet's exec probe. */
export const grpcHealthProbe: Command = async (context) => {
  const { deps, container, sandbox, signal, name, args } = context;
  const address = /-addr=(\S+)/.exec(args.join(" "))?.[1] ?? ":0";
  const attempted = deps.network.execProbe(container, sandbox, [name, ...args], 10_000);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  if (attempted.ok) {
    context.out("status: SERVING\n");
    return 0;
  }
  context.err(`timeout: failed to connect service "${address}" within 1s\n`);
  return 2;
};
