import type { Round } from "../oracle.ts";

/** How far a consumer group of a broker is behind, over all of its topics. */
export interface LagReading {
  /** Pod of the broker. */
  readonly broker: string;
  /** Null: the broker could not be asked. */
  readonly groups: ReadonlyMap<string, number> | null;
}

/** Where a consumer group is in a topic, its partitions added up. */
export interface GroupOffset {
  readonly group: string;
  readonly topic: string;
  readonly offset: number;
  readonly end: number;
}

/** What a broker has: where its groups are, and how many messages its topics have had. */
export interface OffsetReading {
  /** Pod of the broker. */
  readonly broker: string;
  /** Null: the broker could not be asked. */
  readonly found: {
    readonly groups: readonly GroupOffset[];
    readonly ends: ReadonlyMap<string, number>;
  } | null;
}

// In a broker's container, as its distributions have it.
const tools = "PATH=$PATH:/opt/kafka/bin:/usr/bin";
const server = "--bootstrap-server localhost:9092";
const describeGroups = `${tools} kafka-consumer-groups.sh ${server} --describe --all-groups`;
const topicEnds = `${tools} kafka-get-offsets.sh ${server}`;

/** What a script prints in every broker of the arena, which the environment says runs Kafka; null: it failed. Undefined: none does. */
async function askBrokers(
  { context, arena }: Round,
  script: string,
): Promise<{ broker: string; printed: string | null }[] | undefined> {
  const { cluster, namespace, environment } = context;
  const brokers = Object.values(environment.workloads).flatMap(({ selector, containers }) => {
    const broker = containers.find(({ behaviour }) => behaviour.runtime === "kafka");
    return broker ? [{ selector, container: broker.name }] : [];
  });
  if (brokers.length === 0) return undefined;
  const { pods } = await arena();
  const command = ["sh", "-c", script];
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
      return { broker: one.pod, printed: answer?.exitCode === 0 ? answer.stdout : null };
    }),
  );
}

/** How far the groups of every broker are behind. Undefined: the environment has no broker. */
export async function readLags(round: Round): Promise<LagReading[] | undefined> {
  const answers = await askBrokers(round, describeGroups);
  return answers?.map(({ broker, printed }) => ({
    broker,
    groups: printed === null ? null : lagsIn(printed),
  }));
}

/** Where the groups of every broker are. Undefined: the environment has no broker. */
export async function readOffsets(round: Round): Promise<OffsetReading[] | undefined> {
  const answers = await askBrokers(round, `${describeGroups} && ${topicEnds}`);
  return answers?.map(({ broker, printed }) => ({
    broker,
    found: printed === null ? null : { groups: offsetsIn(printed), ends: endsIn(printed) },
  }));
}

/** Group -> messages that it has not read, of what `kafka-consumer-groups.sh --describe` prints. */
export function lagsIn(text: string): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  for (const { group, offset, end } of offsetsIn(text))
    groups.set(group, (groups.get(group) ?? 0) + end - offset);
  return groups;
}

/** Where groups are, of what `kafka-consumer-groups.sh --describe` prints. */
export function offsetsIn(text: string): GroupOffset[] {
  const rows = new Map<string, GroupOffset>();
  for (const [, group = "", topic = "", offset, end] of text.matchAll(
    /^(\S+) +(\S+) +\d+ +(\d+) +(\d+) +\d+\b/gm,
  )) {
    const key = `${group} ${topic}`;
    const known = rows.get(key) ?? { group, topic, offset: 0, end: 0 };
    rows.set(key, { ...known, offset: known.offset + Number(offset), end: known.end + Number(end) });
  }
  return [...rows.values()];
}

/** Topic -> messages that it has had, of what `kafka-get-offsets.sh` prints. */
export function endsIn(text: string): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const [, topic = "", end] of text.matchAll(/^([\w.-]+):\d+:(\d+)$/gm))
    ends.set(topic, (ends.get(topic) ?? 0) + Number(end));
  return ends;
}
