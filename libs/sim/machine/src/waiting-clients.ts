/** Where a client of a shell script connects to. */
export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

interface Client {
  readonly name: RegExp;
  readonly host: RegExp;
  readonly port: RegExp;
  readonly usualPort: number;
}

/** So much of a script is read: a search takes the square of it. */
const mostRead = 4096;

const value = `[ =]?["']?([\\w.-]+)`;
const client = (names: string, usualPort: number, [host, port]: readonly [string, string]): Client => ({
  name: new RegExp(`(?:^|[\\s/;&|!(])(?:${names})\\b([^\\n|;&]*)`),
  host: new RegExp(`\\s(?:${host}|--host)${value}`),
  port: new RegExp(`\\s(?:${port}|--port)${value}`),
  usualPort,
});

/** Clients of datastores with the options that name a server, as their manuals have them. */
const clients: readonly Client[] = [
  client("pg_isready|psql", 5432, ["-h", "-p"]),
  client("mysqladmin|mysql|mariadb-admin|mariadb", 3306, ["-h", "-P"]),
  client("redis-cli|valkey-cli", 6379, ["-h", "-p"]),
  client("mongosh|mongo", 27_017, ["--host", "--port"]),
];

/** Programs that wait for an address by themselves, and the shell's own way to open one. */
const written: readonly RegExp[] = [
  /\bwait-for(?:-it)?(?:\.sh)?\s(?:[^\n|;&]*\s)?["']?([\w.-]+):(\d+)/,
  /\bdockerize\b[^\n|;&]*\s-wait\s+["']?tcp:\/\/([\w.-]+):(\d+)/,
  /\/dev\/tcp\/([\w.-]+)\/(\d+)/,
];

/**
 * The server that a script waits for by a client that is no `nc`, `wget` or `curl`; undefined: it names none. A client outside of a loop
 * does something, as a migration does.
 */
export function awaitedServer(whole: string): TcpAddress | undefined {
  const script = whole.slice(0, mostRead);
  for (const pattern of written) {
    const [, host, port] = pattern.exec(script) ?? [];
    if (host !== undefined) return { host, port: Number(port) };
  }
  if (!/\b(while|until|for)\b/.test(script)) return undefined;
  for (const { name, host, port, usualPort } of clients) {
    const [, args = ""] = name.exec(script) ?? [];
    const server = host.exec(args)?.[1];
    if (server !== undefined) return { host: server, port: Number(port.exec(args)?.[1] ?? usualPort) };
  }
  return undefined;
}
