import type { Round } from "../oracle.ts";

/** How far a consumer group of a broker is behind, over all of its topics. */
export interface LagReading {
  /** Pod of the broker. */
  readonly broker: string;
  /** Null: the broker could not be asked. */
  readonly groups: ReadonlyMap<string, number> | null;
}

/** What lists groups in a broker's container, as its distributions have it. */
const command = [
  "sh",
  "-c",
  "PATH=$PATH:/opt/kafka/bin:/usr/bin kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --all-groups",
];

/** Asks every broker of the arena, which the environment says runs Kafka. Undefined: it says so of none. */
export async function readLags({ context, arena }: Round): Promise<LagReading[] | undefined> {
  const { cluster, namespace, environment } = context;
  const brokers = Object.values(environment.workloads).flatMap(({ selector, containers }) => {
    const broker = containers.find(({ behaviour }) => behaviour.runtime === "kafka");
    return broker ? [{ selector, container: broker.name }] : [];
  });
  if (brokers.length === 0) return undefined;
  const { pods } = await arena();
  const asked = brokers.flatMap(({ selector, container }) =>
    pods
      .filter(({ metadata }) =>
        Object.entries(selector).every(([name, value]) => metadata.labels?.[name] === value),
      )
      .map(({ metadata }) => ({ namespace, pod: metadata.name, container, command, timeoutMs: 20_000 })),
  );
  return Promise.all(
    asked.map(async (one) => {
      const answer = await cluster.exec(one).catch(() => undefined);
      return { broker: one.pod, groups: answer?.exitCode === 0 ? lagsIn(answer.stdout) : null };
    }),
  );
}

/** Group -> messages that it has not read, of what `kafka-consumer-groups.sh --describe` prints. */
export function lagsIn(text: string): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  for (const [, group = "", lag = ""] of text.matchAll(/^(\S+) +\S+ +\d+ +\d+ +\d+ +(\d+)\b/gm))
    groups.set(group, (groups.get(group) ?? 0) + Number(lag));
  return groups;
}
