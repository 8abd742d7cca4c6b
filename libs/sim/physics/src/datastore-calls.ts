import type { CallSpec } from "@microremed/environments";
import {
  accountFor,
  type ContainerRuntime,
  isGranted,
  loginError,
  type Machine,
  type MysqlServer,
  mongoRefusal,
  mongoServer,
  mysqlServer,
  type PodSandbox,
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
  /** In the datastore's words. */
  readonly message: string;
}

/** Connections of a client that says nothing else: HikariCP's pool, and a multiplexer's two. */
const poolSizes = { mysql: 10, redis: 2 } as const;
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
    const full = redisWriteError(state);
    return full === undefined ? undefined : { share: writes, message: full };
  }
  if (call.protocol === "mongodb" && runtime === "mongodb") {
    const { read, write } = mongoRefusal(mongoServer(to.sandbox, to.container), call.credentials);
    if (read !== undefined) return all(read);
    return write === undefined || writes === 0 ? undefined : { share: writes, message: write };
  }
  if (call.protocol === "mysql" && runtime === "mysql" && call.login)
    return mysqlRefusal(mysqlServer(machine, to.sandbox, to.container), call.login, env, from.ip, writes);
  return undefined;
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
        const isStore = route.call.protocol === "mysql" || route.call.protocol === "redis";
        return store && isStore ? [{ from, route, store }] : [];
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
  if (!target || target.refusal?.share === 1) return;
  const wanted = call.login?.pool ?? poolSizes[call.protocol === "redis" ? "redis" : "mysql"];
  const got = Math.max(0, Math.min(wanted, most - clients.length));
  if (got === 0)
    target.refusal = all(
      call.protocol === "redis" ? "ERR max number of clients reached" : "Too many connections",
    );
  const { user, database } = call.login
    ? credentials(call.login, from.container.env)
    : { user: "default", database: "0" };
  for (let count = 0; count < got; count++) clients.push({ ip: from.sandbox.ip, user, database });
}

function mostConnections({ container }: Station): number {
  const { datastore } = container;
  if (datastore?.type !== "redis" && datastore?.type !== "mysql") return Number.POSITIVE_INFINITY;
  const text =
    datastore.type === "redis" ? datastore.config["maxclients"] : datastore.variables["max_connections"];
  return text === undefined ? Number.POSITIVE_INFINITY : Number(text);
}
