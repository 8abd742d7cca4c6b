import { type KafkaLag, type KafkaState, lagsOf, moved } from "@microremed/sim-machine";
import type { Command, CommandContext } from "../../../container/command.types.ts";
import { type Broker, connect, optionOf } from "./connect.ts";

const columns = [
  ["GROUP", 15],
  ["TOPIC", 15],
  ["PARTITION", 10],
  ["CURRENT-OFFSET", 15],
  ["LOG-END-OFFSET", 15],
  ["LAG", 15],
  ["CONSUMER-ID", 50],
  ["HOST", 15],
  ["CLIENT-ID", 0],
] as const;
/** What a reset prints: names and widths. */
const resetColumns = [
  ["GROUP", 30],
  ["TOPIC", 30],
  ["PARTITION", 10],
  ["NEW-OFFSET", 15],
] as const;

type Columns = readonly (readonly [name: string, width: number])[];

const line = (of: Columns, values: readonly (string | number)[]): string =>
  `${values.map((value, index) => String(value).padEnd(of[index]?.[1] ?? 0)).join(" ")}\n`;
const header = (of: Columns): string =>
  line(
    of,
    of.map(([name]) => name),
  );

/**
 * `kafka-consumer-groups.sh` with `--list`, `--describe` or `--reset-offsets`: groups, how far they are behind, and where they go on. Each
 * topic has the partition 0 alone.
 */
export const kafkaConsumerGroups: Command = async (context) => {
  const { args, out, err } = context;
  const broker = await connect(context);
  if (!broker) return 1;
  const groups = lagsOf(broker.state());
  if (args.includes("--list")) {
    for (const group of new Set(groups.map((one) => one.group))) out(`${group}\n`);
    return 0;
  }
  if (args.includes("--describe")) return describe(context, groups);
  if (args.includes("--reset-offsets")) return reset(context, broker);
  err(
    "Command must include exactly one action: --list, --describe, --delete, --reset-offsets, --delete-offsets\n",
  );
  return 1;
};

function describe({ args, out, err }: CommandContext, groups: readonly KafkaLag[]): number {
  const wanted = optionOf(args, "--group");
  if (wanted !== undefined && !groups.some(({ group }) => group === wanted)) {
    err(`\nError: Consumer group '${wanted}' does not exist.\n`);
    return 1;
  }
  for (const [group, rows] of Map.groupBy(groups, (one) => one.group)) {
    if (wanted !== undefined && wanted !== group) continue;
    if (rows.every(({ host }) => host === undefined))
      err(`\nConsumer group '${group}' has no active members.\n`);
    out(`\n${header(columns)}`);
    for (const { topic, offset, end, lag, host } of rows) {
      const member =
        host === undefined ? ["-", "-", "-"] : [`consumer-${group}-1`, `/${host}`, `consumer-${group}-1`];
      out(line(columns, [group, topic, 0, offset, end, lag, ...member]));
    }
  }
  return 0;
}

/** Where a group is to go on in a topic; a text: why it cannot. */
function newOffset(
  args: readonly string[],
  state: KafkaState,
  group: string,
  topic: string,
): number | string {
  const end = Math.floor(state.topics[topic]?.end ?? 0);
  const known = state.topics[topic]?.groups.find((one) => one.group === group);
  const now = Math.floor(known?.offset ?? end);
  const number = (option: string): number | undefined => {
    const text = optionOf(args, option);
    return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
  };
  const [to, by] = [number("--to-offset"), number("--shift-by")];
  const within = (offset: number): number => Math.max(0, Math.min(end, offset));
  if (args.includes("--to-earliest")) return 0;
  if (args.includes("--to-latest")) return end;
  if (args.includes("--to-current")) return now;
  if (to !== undefined) return within(to);
  if (by === undefined)
    return "Option '[reset-offsets]' requires one of: [to-offset], [shift-by], [to-earliest], [to-latest], [to-current]";
  return known
    ? within(now + by)
    : `Cannot shift offset for partition ${topic}-0 since there is no current committed offset`;
}

function reset({ args, out, err }: CommandContext, broker: Broker): number {
  const refuse = (why: string): number => {
    err(`\nError: ${why}\n`);
    return 1;
  };
  const state = broker.state();
  const group = optionOf(args, "--group");
  if (group === undefined) return refuse("Option '[reset-offsets]' takes the option: [group]");
  const own = lagsOf(state).filter((one) => one.group === group);
  if (own.some(({ host }) => host !== undefined))
    return refuse(
      `Assignments can only be reset if the group '${group}' is inactive, but the current state is Stable.`,
    );
  const [named, partition = "0"] = (optionOf(args, "--topic") ?? "").split(":");
  const topics = args.includes("--all-topics") ? own.map(({ topic }) => topic) : named ? [named] : [];
  if (topics.length === 0) return refuse("One of the reset scopes should be defined: --all-topics, --topic.");
  const unknown = topics.find((topic) => !state.topics[topic] || partition !== "0");
  if (unknown !== undefined) return refuse(`The partition "${unknown}-${partition}" does not exist`);
  const offsets: [topic: string, offset: number][] = [];
  for (const topic of topics) {
    const offset = newOffset(args, state, group, topic);
    if (typeof offset === "string") return refuse(offset);
    offsets.push([topic, offset]);
  }
  if (args.includes("--execute"))
    broker.write(offsets.reduce((next, [topic, offset]) => moved(next, topic, group, offset), state));
  else if (!args.includes("--dry-run"))
    err("WARN: No action will be performed as the --execute option is missing.\n");
  out(`\n${header(resetColumns)}`);
  for (const [topic, offset] of offsets) out(line(resetColumns, [group, topic, 0, offset]));
  return 0;
}
