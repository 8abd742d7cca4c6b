import { type KafkaState, kafkaState, writeKafka } from "@microremed/sim-machine";
import type { CommandContext } from "../../../container/command.types.ts";

const defaultPort = 9092;
const connectTimeoutMs = 10_000;

/** The value of an option, as `--group name`. */
export function optionOf(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at < 0 ? undefined : args[at + 1];
}

/** A broker that a client of Kafka's has reached. */
export interface Broker {
  state(): KafkaState;
  write(state: KafkaState): void;
}

/** Connects to the broker of `--bootstrap-server`. Undefined: there is none, and it was said why. */
export async function connect(context: CommandContext): Promise<Broker | undefined> {
  const { deps, sandbox, container, signal, args, err } = context;
  const server = optionOf(args, "--bootstrap-server");
  if (server === undefined) {
    err('Missing required argument "[bootstrap-server]"\n');
    return undefined;
  }
  const [host = "", port = String(defaultPort)] = (server.split(",")[0] ?? "").split(":");
  const attempted = deps.network.tcpConnect(sandbox, host, Number(port), connectTimeoutMs);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  if (!attempted.ok) {
    err("Error: Executing command failed due to Timed out waiting for a node assignment.\n");
    return undefined;
  }
  const by = attempted.by ?? { sandbox, container };
  return {
    state: () => kafkaState(by.sandbox, by.container),
    write: (state) => writeKafka(by.sandbox, by.container, state),
  };
}
