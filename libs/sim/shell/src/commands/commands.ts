import type { Command } from "../container/command.types.ts";
import { cat } from "./cat.ts";
import { kafkaConsoleConsumer, kafkaConsoleProducer } from "./datastores/kafka/console.ts";
import { kafkaConsumerGroups } from "./datastores/kafka/consumer-groups.ts";
import { kafkaGetOffsets } from "./datastores/kafka/get-offsets.ts";
import { kafkaTopics } from "./datastores/kafka/topics.ts";
import { mongo } from "./datastores/mongo-client.ts";
import { mysql, mysqladmin } from "./datastores/mysql-client.ts";
import { pgIsReady } from "./datastores/postgres/pg-isready.ts";
import { psql } from "./datastores/postgres/psql.ts";
import { redisCli } from "./datastores/redis-client.ts";
import { dd } from "./dd.ts";
import { df } from "./df.ts";
import { fallocate } from "./fallocate.ts";
import { grpcHealthProbe } from "./grpc-health-probe.ts";
import {
  date,
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
} from "./machine-info.ts";
import { curl, nc, nslookup, wget } from "./network-clients.ts";
import { ping } from "./ping.ts";
import { kill, killByName, pgrep, ps, top } from "./processes.ts";

/** Programs of the simulated images that read the simulated machine; all others come from just-bash. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["cat", cat],
  ["curl", curl],
  ["date", date],
  ["dd", dd],
  ["df", df],
  ["env", printenv],
  ["fallocate", fallocate],
  ["false", () => 1],
  ["free", free],
  ["grpc_health_probe", grpcHealthProbe],
  ["hostname", hostname],
  ["id", id],
  ["kafka-console-consumer.sh", kafkaConsoleConsumer],
  ["kafka-console-producer.sh", kafkaConsoleProducer],
  ["kafka-consumer-groups.sh", kafkaConsumerGroups],
  ["kafka-get-offsets.sh", kafkaGetOffsets],
  ["kafka-topics.sh", kafkaTopics],
  ["kill", kill],
  ["killall", killByName],
  ["mongo", mongo],
  ["mysql", mysql],
  ["mysqladmin", mysqladmin],
  ["nc", nc],
  ["nslookup", nslookup],
  ["pg_isready", pgIsReady],
  ["pgrep", pgrep],
  ["ping", ping],
  ["pkill", killByName],
  ["printenv", printenv],
  ["ps", ps],
  ["psql", psql],
  ["redis-cli", redisCli],
  ["sleep", sleep],
  ["tc", tc],
  ["top", top],
  ["true", () => 0],
  ["tty", ttyName],
  ["uname", uname],
  ["uptime", uptime],
  ["valkey-cli", redisCli],
  ["wget", wget],
  ["whoami", whoami],
]);
