import { kafkaState, lagsOf } from "@microremed/sim-machine";
import type { Command } from "../../container/command.types.ts";

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

const line = (values: readonly (string | number)[]): string =>
  `${values.map((value, index) => String(value).padEnd(columns[index]?.[1] ?? 0)).join(" ")}\n`;

/** The value of an option, as `--group name`. */
const optionOf = (args: readonly string[], option: string): string | undefined => {
  const at = args.indexOf(option);
  return at < 0 ? undefined : args[at + 1];
};

/** `kafka-consumer-groups.sh` with `--list` or `--describe`: groups and how far they are behind. */
export const kafkaConsumerGroups: Command = async ({ deps, sandbox, container, signal, args, out, err }) => {
  const server = optionOf(args, "--bootstrap-server");
  if (server === undefined) {
    err('Missing required argument "[bootstrap-server]"\n');
    return 1;
  }
  const [host = "", port = "9092"] = (server.split(",")[0] ?? "").split(":");
  const attempted = deps.network.tcpConnect(sandbox, host, Number(port), 10_000);
  await deps.loop.sleep(attempted.elapsedMs, signal);
  if (!attempted.ok) {
    err("Error: Executing consumer group command failed due to Timed out waiting for a node assignment.\n");
    return 1;
  }
  const groups = lagsOf(kafkaState((attempted.by ?? { container }).container));
  if (args.includes("--list")) {
    for (const group of new Set(groups.map((one) => one.group))) out(`${group}\n`);
    return 0;
  }
  if (!args.includes("--describe")) {
    err(
      "Command must include exactly one action: --list, --describe, --delete, --reset-offsets, --delete-offsets\n",
    );
    return 1;
  }
  const wanted = optionOf(args, "--group");
  for (const [group, rows] of Map.groupBy(groups, (one) => one.group)) {
    if (wanted !== undefined && wanted !== group) continue;
    out(`\n${line(columns.map(([name]) => name))}`);
    for (const { topic, offset, end, lag, host: from } of rows) {
      const member =
        from === undefined ? ["-", "-", "-"] : [`consumer-${group}-1`, `/${from}`, `consumer-${group}-1`];
      out(line([group, topic, 0, offset, end, lag, ...member]));
    }
  }
  return 0;
};
