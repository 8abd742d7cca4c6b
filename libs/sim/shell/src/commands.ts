import { cat } from "./commands/cat.ts";
import { kafkaConsumerGroups } from "./commands/datastores/kafka-consumer-groups.ts";
import { mongo } from "./commands/datastores/mongo-client.ts";
import { mysql, mysqladmin } from "./commands/datastores/mysql-client.ts";
import { redisCli } from "./commands/datastores/redis-client.ts";
import { dd } from "./commands/dd.ts";
import { grpcHealthProbe } from "./commands/grpc-health-probe.ts";
import {
  date,
  df,
  free,
  hostname,
  id,
  printenv,
  sleep,
  tc,
  ttyName,
  uname,
  uptime,
  whoami,
} from "./commands/machine-info.ts";
import { curl, nc, nslookup, wget } from "./commands/network-clients.ts";
import { ping } from "./commands/ping.ts";
import { kill, killByName, pgrep, ps, top } from "./commands/processes.ts";
import type { Command } from "./container/command.types.ts";

/** Programs of the simulated images that read the simulated machine; all others come from just-bash. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["cat", cat],
  ["curl", curl],
  ["date", date],
  ["dd", dd],
  ["df", df],
  ["env", printenv],
  ["false", () => 1],
  ["free", free],
  ["grpc_health_probe", grpcHealthProbe],
  ["hostname", hostname],
  ["id", id],
  ["kafka-consumer-groups.sh", kafkaConsumerGroups],
  ["kill", kill],
  ["killall", killByName],
  ["mongo", mongo],
  ["mysql", mysql],
  ["mysqladmin", mysqladmin],
  ["nc", nc],
  ["nslookup", nslookup],
  ["pgrep", pgrep],
  ["ping", ping],
  ["pkill", killByName],
  ["printenv", printenv],
  ["ps", ps],
  ["redis-cli", redisCli],
  ["sleep", sleep],
  ["tc", tc],
  ["top", top],
  ["true", () => 0],
  ["tty", ttyName],
  ["uname", uname],
  ["uptime", uptime],
  ["wget", wget],
  ["whoami", whoami],
]);
