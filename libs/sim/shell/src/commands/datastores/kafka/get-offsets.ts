import type { Command } from "../../../container/command.types.ts";
import { connect, optionOf } from "./connect.ts";

/** `kafka-get-offsets.sh`: the end of each topic's partition, or of one topic's. */
export const kafkaGetOffsets: Command = async (context) => {
  const broker = await connect(context);
  if (!broker) return 1;
  const wanted = optionOf(context.args, "--topic");
  for (const [topic, { end }] of Object.entries(broker.state().topics).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  ))
    if (wanted === undefined || wanted === topic) context.out(`${topic}:0:${Math.floor(end)}\n`);
  return 0;
};
