import type { Environment, WorkloadSpec } from "./environment.types.ts";

/** Protocols that only stores and brokers speak. */
const ofStores: ReadonlySet<string> = new Set([
  "redis",
  "memcached",
  "mysql",
  "postgresql",
  "mongodb",
  "amqp",
  "nats",
  "kafka",
  "nacos",
]);

/** Images of stores and brokers by their last name, as their publishers call them; variants follow a dash. */
const storeImages =
  /^(redis(-stack(-server)?)?|valkey|keydb|dragonfly|memcached|mysql(-server)?|mariadb|percona(-server)?|xenon|postgres(ql)?|postgis|timescaledb|cockroach|mongo(db)?|cassandra|scylla|couchdb|couchbase|neo4j|influxdb|clickhouse(-server)?|elasticsearch|opensearch|solr|meilisearch|typesense|qdrant|milvus|weaviate|etcd|consul|zookeeper|kafka|rabbitmq|activemq(-artemis)?|nats|pulsar|nacos(-server)?|minio|vault)$/;

/**
 * Whether each replica of a workload keeps data of its own, so that one more of them splits it: what `keepsData` says,
 * else a StatefulSet, one with a claim, one with the image of a known store, and one that others call as they call a
 * store.
 */
export function keepsData({ workloads }: Pick<Environment, "workloads">, name: string): boolean {
  const workload = workloads[name];
  if (!workload) return false;
  const hasClaim = Object.values(workload.volumes).some(({ type }) => type === "claim");
  const isCalledAsStore = Object.values(workloads).some(({ calls }) =>
    calls.some(({ to, protocol }) => to === name && ofStores.has(protocol)),
  );
  const isStore = hasClaim || isCalledAsStore || hasStoreImage(workload);
  return workload.keepsData ?? (workload.kind === "StatefulSet" || isStore);
}

/**
 * Workloads of which nothing says whether they keep data, and that may: others call them, and they call no one. Only their
 * author knows.
 */
export function mayKeepData(environment: Pick<Environment, "workloads">): string[] {
  const { workloads } = environment;
  const called = new Set(Object.values(workloads).flatMap(({ calls }) => calls.map(({ to }) => to)));
  return Object.entries(workloads).flatMap(([name, { keepsData: isSaid, calls }]) =>
    isSaid === undefined && called.has(name) && calls.length === 0 && !keepsData(environment, name)
      ? [name]
      : [],
  );
}

const hasStoreImage = ({ containers }: WorkloadSpec): boolean =>
  containers.some(({ image }) => storeImages.test(lastNameOf(image)));

/** `docker.io/bitnami/redis:7.2@sha256:...` -> `redis`. */
const lastNameOf = (image: string): string => (image.split("/").at(-1) ?? "").replace(/[:@].*$/, "");
