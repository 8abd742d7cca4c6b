import { sent, withoutTopic } from "@microremed/sim-machine";
import type { Command } from "../../../container/command.types.ts";
import { connect, optionOf } from "./connect.ts";

/** `kafka-topics.sh` with `--list`, `--describe`, `--create` or `--delete`. */
export const kafkaTopics: Command = async (context) => {
  const { args, out, err } = context;
  const broker = await connect(context);
  if (!broker) return 1;
  const state = broker.state();
  const topic = optionOf(args, "--topic");
  const has = topic !== undefined && state.topics[topic] !== undefined;
  const refuse = (why: string): number => {
    err(`Error while executing topic command : ${why}\n`);
    return 1;
  };
  if (args.includes("--list")) {
    for (const name of Object.keys(state.topics).toSorted()) out(`${name}\n`);
    return 0;
  }
  if (args.includes("--describe")) {
    if (topic !== undefined && !has) return refuse(`Topic '${topic}' does not exist as expected`);
    for (const name of topic === undefined ? Object.keys(state.topics).toSorted() : [topic]) {
      out(`Topic: ${name}\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n`);
      out(`\tTopic: ${name}\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n`);
    }
    return 0;
  }
  if (topic === undefined) return refuse("the option --topic is required");
  if (args.includes("--create")) {
    if (has && !args.includes("--if-not-exists")) return refuse(`Topic '${topic}' already exists.`);
    if (!has) broker.write(sent(state, topic, []));
    out(`Created topic ${topic}.\n`);
    return 0;
  }
  if (args.includes("--delete")) {
    if (!has) return args.includes("--if-exists") ? 0 : refuse(`Topic '${topic}' does not exist as expected`);
    broker.write(withoutTopic(state, topic));
    return 0;
  }
  return refuse("Command must include exactly one action: --list, --describe, --create, --alter or --delete");
};
