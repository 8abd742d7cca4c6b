import type { Command } from "../../../container/command.types.ts";
import { parseOptions } from "../../../container/options.ts";

const flags = ["q", "quiet"];
const valued = ["h", "p", "U", "d", "t", "host", "port", "username", "dbname", "timeout"];

/** `pg_isready`: 0 where a server takes connections, 2 without an answer, 3 for wrong options. */
export const pgIsReady: Command = async ({ args, variable, deps, sandbox, container, signal, out, err }) => {
  const { values, flags: given, unknown } = parseOptions(args, flags, valued);
  const option = (short: string, long: string): string | undefined => values.get(short) ?? values.get(long);
  if (unknown !== undefined) {
    err(
      `pg_isready: unrecognized option: ${unknown}\npg_isready: hint: Try "pg_isready --help" for more information.\n`,
    );
    return 3;
  }
  const host = option("h", "host") ?? variable("PGHOST");
  const port = Number(option("p", "port") ?? variable("PGPORT") ?? 5432);
  const seconds = Number(option("t", "timeout") ?? 3);
  const isSocket = host === undefined || host.startsWith("/");
  const attempted = deps.network.tcpConnect(sandbox, isSocket ? "127.0.0.1" : host, port, seconds * 1000);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  const { behaviour } = (attempted.by ?? { container }).container;
  const isServer = attempted.ok && (behaviour === undefined || behaviour.runtime === "postgresql");
  if (!given.has("q") && !given.has("quiet"))
    out(
      `${isSocket ? `/var/run/postgresql:${port}` : `${host}:${port}`} - ${isServer ? "accepting connections" : "no response"}\n`,
    );
  return isServer ? 0 : 2;
};
