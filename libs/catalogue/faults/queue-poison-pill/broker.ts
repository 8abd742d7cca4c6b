import {
  type FaultContext,
  offsetsIn,
  type RemedyContext,
  runInTarget,
  shellWord,
} from "@microremed/catalogue";
import type { Context, Where } from "./parameters.ts";

const execTimeoutMs = 20_000;
const server = "--bootstrap-server localhost:9092";

/** A call of one of Kafka's tools in the broker's container. */
export const tool = (name: string, ...args: readonly string[]): string =>
  [`PATH=$PATH:/opt/kafka/bin kafka-${name}.sh`, server, ...args].join(" ");

/** Puts the consumer's group elsewhere. */
export const moveGroup = (
  { parameters: { consumer, topic } }: Pick<Where, "parameters">,
  to: string,
): string => tool("consumer-groups", `--group ${consumer} --topic ${topic} --reset-offsets ${to} --execute`);

/** The same as commands of kubectl. */
export function inBroker({ namespace, name, container }: RemedyContext, script: string): string {
  return `kubectl -n ${namespace} exec deployment/${name} -c ${container} -- sh -c ${shellWord(script)}`;
}

/** What a script prints in the broker; undefined: it failed, or there is no broker. */
const ask = (context: FaultContext, script: string): Promise<string | undefined> =>
  runInTarget(context, script, execTimeoutMs);

/** Where the consumer's group is; undefined: there is no such group. */
export async function groupOffset(context: Context) {
  const { consumer, topic } = context.parameters;
  const printed = await ask(context, tool("consumer-groups", "--describe --all-groups"));
  return offsetsIn(printed ?? "").find((one) => one.group === consumer && one.topic === topic);
}

/** The offset at which the consumer's next message is the one that it cannot read; undefined: it is another one. */
export async function heldAt(context: Context): Promise<number | undefined> {
  const { topic, message } = context.parameters;
  const at = await groupOffset(context);
  if (!at || at.offset >= at.end) return undefined;
  const one = `--topic ${topic} --partition 0 --offset ${at.offset} --max-messages 1 --timeout-ms 2000`;
  const printed = await ask(context, tool("console-consumer", one));
  return printed?.trimEnd() === message ? at.offset : undefined;
}

/** Sends the message that the consumer cannot read. Throws where the broker does not take it. */
export async function sendMessage(context: Context): Promise<void> {
  const { topic, message } = context.parameters;
  const script = `echo ${shellWord(message)} | ${tool("console-producer", `--topic ${topic}`)}`;
  if ((await ask(context, script)) === undefined)
    throw new Error(`the broker ${context.target} did not take a message for ${topic}`);
}

/** Lets the group go on after the message. */
export const skipMessage = (context: Context): Promise<string | undefined> =>
  ask(context, moveGroup(context, "--shift-by 1"));
