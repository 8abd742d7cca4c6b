import { fileAt, locate, mountOf, normalized } from "./layers.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";
import { packState, unpackState } from "./packed-state.ts";

/** What a consumer group has read of a topic. */
export interface KafkaGroup {
  readonly group: string;
  readonly offset: number;
  /** Of the consumer's pod; undefined: no member of the group is connected. */
  readonly host: string | undefined;
}

/** A message with its text: one that a client has sent from a shell. */
export interface KafkaRecord {
  readonly offset: number;
  readonly value: string;
}

/** A topic of one partition. Offsets are messages; what is a part of one has not been written or read yet. */
export interface KafkaTopic {
  readonly end: number;
  readonly groups: readonly KafkaGroup[];
  /** The last of those whose text is kept, in their order. Absent: none is. */
  readonly records?: readonly KafkaRecord[];
}

/** What a broker holds. */
export interface KafkaState {
  readonly type: "kafka";
  readonly topics: Readonly<Record<string, KafkaTopic>>;
}

const none: KafkaState = { type: "kafka", topics: {} };
/** Of a topic so many messages are kept with their text, and of each so many characters. */
const mostRecords = 2_000;
const mostCharacters = 10_000;

/** The file with what the broker holds, if its directory of logs is on a volume: then it outlives the container. */
function placeOf(sandbox: PodSandbox, container: ContainerRuntime) {
  const path = normalized(container.env["KAFKA_LOG_DIRS"] ?? "/tmp/kraft-combined-logs");
  return mountOf(container, path) === undefined
    ? undefined
    : locate(sandbox, container, `${path}/00000000000000000000.log`);
}

/** The broker in a container. */
export function kafkaState(sandbox: PodSandbox, container: ContainerRuntime): KafkaState {
  if (container.datastore?.type === "kafka") return container.datastore;
  const place = placeOf(sandbox, container);
  const bytes = place && fileAt(place);
  return (bytes && unpackState<KafkaState>(bytes)) ?? none;
}

/** Gives the broker in a container another state. */
export function writeKafka(sandbox: PodSandbox, container: ContainerRuntime, state: KafkaState): void {
  if (container.datastore === state) return;
  container.datastore = state;
  const place = placeOf(sandbox, container);
  place?.tree.set(place.key, packState(state));
}

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
  withTopic(state, topic, (known) => ({ ...known, end: known.end + messages }));

/** The broker after messages with these texts. */
export const sent = (state: KafkaState, topic: string, values: readonly string[]): KafkaState =>
  withTopic(state, topic, ({ records = [], ...known }) => {
    const first = Math.floor(known.end);
    const added = values.map((value, at) => ({ offset: first + at, value: value.slice(0, mostCharacters) }));
    return {
      ...known,
      end: known.end + values.length,
      records: [...records, ...added].slice(-mostRecords),
    };
  });

/** The text of the message at an offset; of one that a program of the system has written nothing is kept. */
export const valueAt = ({ records = [] }: KafkaTopic, offset: number): string =>
  records.find((one) => one.offset === offset)?.value ?? "";

function withGroup({ groups, ...topic }: KafkaTopic, group: KafkaGroup): KafkaTopic {
  const others = groups.filter((one) => one.group !== group.group);
  return { ...topic, groups: [...others, group].toSorted((a, b) => (a.group < b.group ? -1 : 1)) };
}

/** The broker after a group has read so many messages, or all that there are. A new group begins at the end. */
export const consumed = (
  state: KafkaState,
  topic: string,
  { group, host }: Pick<KafkaGroup, "group" | "host">,
  messages: number,
): KafkaState =>
  withTopic(state, topic, (known) => {
    const before = known.groups.find((one) => one.group === group);
    const offset = before ? Math.min(known.end, before.offset + messages) : known.end;
    return withGroup(known, { group, offset, host });
  });

/** The broker after a group without members was given an offset, within those that there are. */
export const moved = (state: KafkaState, topic: string, group: string, offset: number): KafkaState =>
  withTopic(state, topic, (known) =>
    withGroup(known, {
      group,
      offset: Math.max(0, Math.min(Math.floor(known.end), offset)),
      host: undefined,
    }),
  );

/** The broker without the members of groups that are no more connected. `isConnected`: of a group's consumer in a pod. */
export function withoutMembers(
  state: KafkaState,
  isConnected: (topic: string, group: string) => boolean,
): KafkaState {
  const hasLeft = (topic: string, { group, host }: KafkaGroup): boolean =>
    host !== undefined && !isConnected(topic, group);
  const topics = Object.entries(state.topics);
  if (!topics.some(([name, { groups }]) => groups.some((one) => hasLeft(name, one)))) return state;
  return {
    ...state,
    topics: Object.fromEntries(
      topics.map(([name, topic]) => [
        name,
        {
          ...topic,
          groups: topic.groups.map((one) => (hasLeft(name, one) ? { ...one, host: undefined } : one)),
        },
      ]),
    ),
  };
}

/** The broker without a topic, and without what groups have read of it. */
export function withoutTopic({ topics, ...state }: KafkaState, topic: string): KafkaState {
  const { [topic]: _gone, ...others } = topics;
  return { ...state, topics: others };
}

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
