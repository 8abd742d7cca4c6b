import {
  type Environment,
  type FaultContext,
  isLoaded,
  type Place,
  podsOf,
  targetOf,
} from "@microremed/catalogue";

/** A table that a program reads or writes for each of its requests, and the workload with its database. */
interface TableCall {
  readonly to: string;
  readonly table: string;
}

/** Calls of the workload for each request of a user: fewer show too late. */
const leastPerRequest = 0.05;

const tableCall = ({ workload }: Place): TableCall | undefined =>
  workload.calls.flatMap(({ to, table, required }) =>
    table !== undefined && required ? [{ to, table }] : [],
  )[0];

/** Why a lock on a table of a workload would not show; undefined: it would. */
export function whyNoTarget(place: Place, environment: Environment): string | undefined {
  if (!tableCall(place)) return `${place.name} waits for no table of a PostgreSQL server`;
  return isLoaded(environment, place.name, leastPerRequest)
    ? undefined
    : `requests of users hardly ever reach ${place.name}`;
}

/** The table of a target. Throws where it has none. */
export function tableOf({ environment, target }: Pick<FaultContext, "environment" | "target">): TableCall {
  const place = targetOf(environment, target);
  const found = place && tableCall(place);
  if (!found) throw new Error(`${target} of ${environment.name} waits for no table`);
  return found;
}

/** A query as the owner of the server, by its socket. */
export const asOwner = (sql: string): string =>
  `psql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -X -t -A -c "${sql}"`;

/** Sessions that keep all others from a table. */
export const holders = (columns: string): string =>
  `SELECT ${columns} FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.granted AND l.mode = 'AccessExclusiveLock'`;

/** Runs a script in the database's container; undefined: it failed. */
export async function inDatabase(context: FaultContext, script: string): Promise<string | undefined> {
  const { cluster, namespace, environment } = context;
  const { to } = tableOf(context);
  const container = environment.workloads[to]?.containers[0]?.name ?? "";
  const pods = (await podsOf(context, to)).filter(({ metadata }) => !metadata.deletionTimestamp);
  for (const { metadata } of pods) {
    const where = { namespace, pod: metadata.name, container, timeoutMs: 20_000 };
    const ran = await cluster.exec({ ...where, command: ["sh", "-c", script] }).catch(() => undefined);
    if (ran?.exitCode === 0) return ran.stdout;
  }
  return undefined;
}
