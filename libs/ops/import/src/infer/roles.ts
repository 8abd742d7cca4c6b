import type { WorkloadSpec } from "@microremed/catalogue/environment";

/** What a workload is for, as far as it matters to the others. */
export type Role = "service" | "store" | "telemetry" | "registry" | "load";

const telemetry =
  /\b(jaeger|zipkin|tempo|prometheus|grafana|otel|otelcol|opentelemetry-collector|collector|loki|fluentd?|fluent-bit|alertmanager|node-exporter|statsd|kibana|heapster|influxdb)\b/;
const registry = /\b(consul|etcd|zookeeper|eureka|nacos|flagd|apollo)\b/;
const load = /\b(load-?gen(erator)?|load-?test|locust|k6|wrk2?|hey|jmeter|workload-?generator)\b/;
const stores: ReadonlySet<string> = new Set([
  "redis",
  "memcached",
  "mysql",
  "postgresql",
  "mongodb",
  "rabbitmq",
  "nats",
  "kafka",
]);
const otherStores =
  /\b(cassandra|scylla|couchdb|neo4j|clickhouse|elasticsearch|opensearch|minio|pulsar|activemq)\b/;

/** By the names of the workload and its image, and the runtime of its first container. */
export function roleOf(name: string, { containers }: WorkloadSpec): Role {
  const [first] = containers;
  const image = (first?.image ?? "").toLowerCase();
  const words = `${name.toLowerCase()} ${image.split("/").at(-1)?.split(/[:@]/)[0]}`;
  if (load.test(words)) return "load";
  if (stores.has(first?.behaviour.runtime ?? "") || otherStores.test(words)) return "store";
  if (telemetry.test(words)) return "telemetry";
  return registry.test(words) ? "registry" : "service";
}
