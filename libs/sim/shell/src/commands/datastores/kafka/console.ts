import { type KafkaState, moved, sent, valueAt } from "@microremed/sim-machine";
import type { Command } from "../../../container/command.types.ts";
import { connect, optionOf } from "./connect.ts";

/** How often a client looks for new messages, ms. */
const pollMs = 250;

/** `kafka-console-producer.sh`: each line of its input is a message. */
export const kafkaConsoleProducer: Command = async (context) => {
  const topic = optionOf(context.args, "--topic");
  if (topic === undefined) {
    context.err('Missing required argument "[topic]"\n');
    return 1;
  }
  const broker = await connect(context);
  if (!broker) return 1;
  const text = Buffer.from(await context.stdin()).toString();
  const lines = text.replace(/\n$/, "").split("\n");
  if (text !== "") broker.write(sent(broker.state(), topic, lines));
  return 0;
};

/** The offset at which a client begins. */
function startOf(
  args: readonly string[],
  state: KafkaState,
  topic: string,
  group: string | undefined,
): number {
  const end = Math.floor(state.topics[topic]?.end ?? 0);
  const given = optionOf(args, "--offset");
  if (given !== undefined) return given === "earliest" ? 0 : given === "latest" ? end : Number(given);
  const known = state.topics[topic]?.groups.find((one) => one.group === group);
  if (known) return Math.floor(known.offset);
  return args.includes("--from-beginning") ? 0 : end;
}

/**
 * `kafka-console-consumer.sh`: prints messages, a line for each, and waits for more. Of those that the system's programs have written it
 * prints an empty line: nothing is kept of them. With `--group` it reads on from where the group is, which then is where it has read to, unless
 * `--consumer-property enable.auto.commit=false` is given.
 */
export const kafkaConsoleConsumer: Command = async (context) => {
  const { args, out, err, deps, signal } = context;
  const topic = optionOf(args, "--topic");
  if (topic === undefined) {
    err("One of the topic or include options is required.\n");
    return 1;
  }
  const offset = optionOf(args, "--offset");
  if (offset !== undefined && !/^(\d+|earliest|latest)$/.test(offset)) {
    err(
      `The provided offset value '${offset}' is incorrect. Valid values are 'earliest', 'latest', or a non-negative long.\n`,
    );
    return 1;
  }
  if (offset !== undefined && optionOf(args, "--partition") === undefined) {
    err("The partition is required when offset is specified.\n");
    return 1;
  }
  const broker = await connect(context);
  if (!broker) return 1;
  const [most, timeoutMs] = [optionOf(args, "--max-messages"), optionOf(args, "--timeout-ms")];
  const group = optionOf(args, "--group");
  const commits = !args.includes("enable.auto.commit=false");
  let at = startOf(args, broker.state(), topic, group);
  let [count, since] = [0, deps.loop.now()];
  while (most === undefined || count < Number(most)) {
    const known = broker.state().topics[topic];
    if (known && at < Math.floor(known.end)) {
      out(`${valueAt(known, at)}\n`);
      [at, count, since] = [at + 1, count + 1, deps.loop.now()];
      if (group !== undefined && commits) broker.write(moved(broker.state(), topic, group, at));
      continue;
    }
    if (timeoutMs !== undefined && deps.loop.now() - since >= Number(timeoutMs)) {
      err(
        "ERROR Error processing message, terminating consumer process: org.apache.kafka.common.errors.TimeoutException\n",
      );
      break;
    }
    await deps.loop.sleep(pollMs, signal);
  }
  err(`Processed a total of ${count} messages\n`);
  return 0;
};
