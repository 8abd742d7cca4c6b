import { permissions, type Rights, users } from "../libs/contracts/src/index.ts";

/** What every user may do at NATS and Redis as Markdown, made from the data that the servers are configured with. */
export function permissionsReference(): string {
  return [
    "# Rights at NATS and Redis",
    "",
    "Made from `libs/contracts/src/permissions.ts` by `npm run docs:generate`; do not edit. A user has the same name at both. Other rights are refused. Redis keys have the prefix `microremed:`.",
    "",
    ...users.flatMap((user) => [
      `## ${user}`,
      "",
      `${permissions[user].doc}.`,
      "",
      ...tableOf(permissions[user]),
    ]),
  ].join("\n");
}

function tableOf({ nats, redis }: Rights): string[] {
  const list = (items: readonly string[]): string => items.map((item) => `\`${item}\``).join(" ");
  const rows = [
    ["NATS, publish", list(nats.publish)],
    ["NATS, subscribe", list(nats.subscribe)],
    ...(nats.answers ? [["NATS, answers", "requests, once each"]] : []),
    ["Redis, commands", redis ? list(redis.commands) : "no access"],
    ...(redis ? [["Redis, reads and writes", list(redis.readWrite)]] : []),
    ...(redis && redis.read.length > 0 ? [["Redis, reads", list(redis.read)]] : []),
  ];
  return ["| | |", "| --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`), ""];
}
