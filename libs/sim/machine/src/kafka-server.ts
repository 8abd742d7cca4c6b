import type { ContainerRuntime } from "./machine.ts";

/** What a consumer group has read of a topic. */
export interface KafkaGroup {
  readonly group: string;
  readonly offset: number;
  /** Of the consumer's pod; undefined: no member of the group is connected. */
  readonly host: string | undefined;
}

/** A topic of one partition. Offsets are messages; what is a part of one has not been written or read yet. */
export interface KafkaTopic {
  readonly end: number;
  readonly groups: readonly KafkaGroup[];
}

/** What a broker holds: gone with its container, which has no volume. */
export interface KafkaState {
  readonly type: "kafka";
  readonly topics: Readonly<Record<string, KafkaTopic>>;
}

/** The broker in a container. */
export const kafkaState = ({ datastore }: Pick<ContainerRuntime, "datastore">): KafkaState =>
  datastore?.type === "kafka" ? datastore : { type: "kafka", topics: {} };

const emptyTopic: KafkaTopic = { end: 0, groups: [] };

const withTopic = (
  state: KafkaState,
  name: string,
  change: (topic: KafkaTopic) => KafkaTopic,
): KafkaState => ({
  ...state,
  topics: { ...state.topics, [name]: change(state.topics[name] ?? emptyTopic) },
});

/** The broker after so many messages more. */
export const written = (state: KafkaState, topic: string, messages: number): KafkaState =>
  withTopic(state, topic, ({ end, groups }) => ({ end: end + messages, groups }));

/** The broker after a group has read so many messages, or all that there are. A new group begins at the end. */
export const consumed = (
  state: KafkaState,
  topic: string,
  { group, host }: Pick<KafkaGroup, "group" | "host">,
  messages: number,
): KafkaState =>
  withTopic(state, topic, ({ end, groups }) => {
    const known = groups.find((one) => one.group === group);
    const offset = known ? Math.min(end, known.offset + messages) : end;
    const others = groups.filter((one) => one.group !== group);
    return {
      end,
      groups: [...others, { group, offset, host }].toSorted((a, b) => (a.group < b.group ? -1 : 1)),
    };
  });

/** A row of what `kafka-consumer-groups.sh --describe` prints. */
export interface KafkaLag extends KafkaGroup {
  readonly topic: string;
  readonly end: number;
  /** Messages that the group has not read. */
  readonly lag: number;
}

/** Every group of a broker with its lag. */
export const lagsOf = ({ topics }: KafkaState): readonly KafkaLag[] =>
  Object.entries(topics).flatMap(([topic, { end, groups }]) =>
    groups.map((one) => {
      const [offset, last] = [Math.floor(one.offset), Math.floor(end)];
      return { ...one, topic, offset, end: last, lag: last - offset };
    }),
  );
