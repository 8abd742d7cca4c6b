import type { CallSpec } from "@microremed/environments";
import {
  accountFor,
  type ContainerRuntime,
  exclusiveHolder,
  hasPrivilege,
  isGranted,
  loginError,
  type Machine,
  type MysqlServer,
  mongoRefusal,
  mongoServer,
  mysqlServer,
  type PodSandbox,
  type PostgresLogin,
  type PostgresState,
  postgresLoginError,
  postgresMemory,
  postgresState,
  redisLoginError,
  redisState,
  redisWriteError,
  type StoreClient,
} from "@microremed/sim-machine";
import type { Route, Station } from "./topology.ts";

/** What a datastore refuses of a client's calls. */
export interface Refusal {
  /** Of the calls, 0..1. */
  readonly share: number;
  /** In the datastore's words, or in the client's. */
  readonly message: string;
  /** They get no answer until their callers give up. Absent: it comes at once. */
  readonly isSilent?: true;
}

/** Connections of a client that says nothing else: HikariCP's pool, and a multiplexer's two. */
const poolSizes = { mysql: 10, redis: 2, postgresql: 4 } as const;
const stores: Readonly<Record<string, keyof typeof poolSizes>> = {
  mysql: "mysql",
  redis: "redis",
  postgresql: "postgresql",
};
/** Share of the calls that write, where the environment says nothing. */
const usualWrites = 0.3;

/** Options behind a Redis address, as StackExchange.Redis reads them: `host:port,password=...`. */
function addressOptions(address: string): Readonly<Record<string, string>> {
  const options = address.split(",").slice(1);
  return Object.fromEntries(options.map((one) => one.trim().split(/=(.*)/s).slice(0, 2)));
}

const all = (message: string): Refusal => ({ share: 1, message });

/** What the datastore behind a call refuses; undefined: nothing, or the call goes to none. */
export function refusalOf(
  machine: Machine,
  call: CallSpec,
  address: string,
  env: Readonly<Record<string, string>>,
  from: PodSandbox,
  to: { readonly sandbox: PodSandbox; readonly container: ContainerRuntime },
): Refusal | undefined {
  const writes = call.writeShare ?? usualWrites;
  const { runtime } = to.container.behaviour ?? {};
  if (call.protocol === "redis" && runtime === "redis") {
    const state = redisState(to.sandbox, to.container);
    const { password, user } = addressOptions(address);
    const refused = redisLoginError(state, user, password);
    if (refused !== undefined) return all(refused);
    const full = redisWriteError(to.sandbox, to.container, state);
    return full === undefined ? undefined : { share: writes, message: full };
  }
  if (call.protocol === "mongodb" && runtime === "mongodb") {
    const { read, write } = mongoRefusal(mongoServer(to.sandbox, to.container), call.credentials);
    if (read !== undefined) return all(read);
    return write === undefined || writes === 0 ? undefined : { share: writes, message: write };
  }
  if (call.protocol === "postgresql" && runtime === "postgresql" && call.connectionString)
    return (
      postgresRefusal(
        postgresState(to.sandbox, to.container),
        postgresCredentials(env[call.connectionString] ?? ""),
        writes,
      ) ?? lockedOut(to.container, call)
    );
  if (call.protocol === "mysql" && runtime === "mysql" && call.login)
    return mysqlRefusal(mysqlServer(machine, to.sandbox, to.container), call.login, env, from.ip, writes);
  return undefined;
}

function postgresRefusal(state: PostgresState, login: PostgresLogin, writes: number): Refusal | undefined {
  const refused = postgresLoginError(state, login);
  if (refused !== undefined) return all(refused);
  if (!hasPrivilege(state, login.user, "SELECT")) return all("ERROR:  permission denied for table");
  if (hasPrivilege(state, login.user, "INSERT")) return undefined;
  return writes === 0 ? undefined : { share: writes, message: "ERROR:  permission denied for table" };
}

/** A session keeps every other from the table, so that the call waits for it. */
function lockedOut(store: ContainerRuntime, { table, timeoutSeconds }: CallSpec): Refusal | undefined {
  if (table === undefined || !exclusiveHolder(postgresMemory(store), table)) return undefined;
  return {
    ...all(`canceling statement after ${timeoutSeconds} s: it waited for a lock on ${table}`),
    isSilent: true,
  };
}

/** `postgres://user:password@host/database`, or `Host=...;Username=...` and `host=... user=...`, as clients read it. */
function postgresCredentials(given: string): PostgresLogin {
  const url = /^postgres(?:ql)?:\/\/([^:@/]*)(?::([^@/]*))?@[^/]*(?:\/([^?]*))?/.exec(given);
  if (url) {
    const [user, password, database] = url.slice(1).map((part = "") => decoded(part));
    return { user: user ?? "", password: password ?? "", database: database || (user ?? "") };
  }
  const options = new Map(
    given.split(/[;\s]+/).map((part) => {
      const [name = "", value = ""] = part.split(/=(.*)/s);
      return [name.toLowerCase(), value] as const;
    }),
  );
  const option = (...names: readonly string[]): string =>
    names.map((name) => options.get(name)).find((value) => value !== undefined) ?? "";
  const user = option("user", "username", "user id");
  return { user, password: option("password"), database: option("dbname", "database") || user };
}

/** What is no percent-encoding stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Login = NonNullable<CallSpec["login"]>;

function mysqlRefusal(
  { state }: MysqlServer,
  login: Login,
  env: Readonly<Record<string, string>>,
  host: string,
  writes: number,
): Refusal | undefined {
  const { user, password, database } = credentials(login, env);
  const refused = loginError(state, { user, password, host, database });
  if (refused) return all(refused.message);
  const account = accountFor(state, user, host);
  const lacks = (privilege: string): boolean => !account || !isGranted(account, database, privilege);
  const denied = (privilege: string): string => `${privilege} command denied to user '${user}'@'${host}'`;
  if (lacks("SELECT")) return all(denied("SELECT"));
  const write = ["INSERT", "UPDATE", "DELETE"].find(lacks);
  return write === undefined ? undefined : { share: writes, message: denied(write) };
}

/** Credentials as the program reads them. A variable that is not set is empty. */
const credentials = ({ user, password, database }: Login, env: Readonly<Record<string, string>>) => ({
  user: env[user] ?? "",
  password: env[password] ?? "",
  database: env[database] ?? "",
});

/** Who got how many of a datastore's connections, in the order in which the programs have started. */
export function shareConnections(stations: readonly Station[]): void {
  const callers = Map.groupBy(
    stations.flatMap((from) =>
      from.routes.flatMap((route) => {
        const store = route.targets.length === 1 ? route.targets[0]?.station : undefined;
        return store && Object.hasOwn(stores, route.call.protocol) ? [{ from, route, store }] : [];
      }),
    ),
    ({ store }) => store,
  );
  for (const [store, all] of callers) {
    const clients: StoreClient[] = [];
    const most = mostConnections(store);
    for (const { from, route } of all.sort((a, b) => a.from.container.startedAt - b.from.container.startedAt))
      connect(clients, most, from, route);
    store.container.storeClients = clients;
  }
}

function connect(clients: StoreClient[], most: number, from: Station, route: Route): void {
  const { call, targets } = route;
  const [target] = targets;
  if (!target || (target.refusal?.share === 1 && !target.refusal.isSilent)) return;
  const wanted = call.login?.pool ?? poolSizes[stores[call.protocol] ?? "mysql"];
  const got = Math.max(0, Math.min(wanted, most - clients.length));
  if (got === 0)
    target.refusal = all(
      call.protocol === "redis" ? "ERR max number of clients reached" : "Too many connections",
    );
  const { user, database } = loginOf(call, from.container.env);
  const waitsFor = target.refusal?.isSilent ? call.table : undefined;
  const client = { ip: from.sandbox.ip, user, database, ...(waitsFor !== undefined && { waitsFor }) };
  for (let count = 0; count < got; count++) clients.push(client);
}

function loginOf({ login, connectionString }: CallSpec, env: Readonly<Record<string, string>>) {
  if (connectionString !== undefined) return postgresCredentials(env[connectionString] ?? "");
  return login ? credentials(login, env) : { user: "default", database: "0" };
}

function mostConnections({ container }: Station): number {
  const { datastore } = container;
  if (datastore?.type !== "redis" && datastore?.type !== "mysql") return Number.POSITIVE_INFINITY;
  const text =
    datastore.type === "redis" ? datastore.config["maxclients"] : datastore.variables["max_connections"];
  return text === undefined ? Number.POSITIVE_INFINITY : Number(text);
}
