import { consumed, kafkaState, withoutMembers, writeKafka, written } from "@microremed/sim-machine";
import { changedByFlags } from "./active-flags.ts";
import { isUp } from "./container-state.ts";
import type { Route, Station } from "./topology.ts";
import { usable } from "./traffic.ts";

/** Moves messages through brokers: what programs write in these seconds, and what consumer groups read of it. */
export function moveMessages(stations: readonly Station[], seconds: number): void {
  for (const station of stations)
    for (const route of station.routes) if (route.call.topic !== undefined) write(route, seconds);
  const connected = new Map<Station, Set<string>>();
  for (const station of stations)
    if (isUp(station.container))
      for (const route of station.routes)
        if (route.call.topic !== undefined)
          for (const broker of read(station, route, seconds))
            connected.set(broker, (connected.get(broker) ?? new Set()).add(membership(route.call)));
  for (const broker of stations) {
    const { sandbox, container } = broker;
    const { datastore } = container;
    if (datastore?.type !== "kafka") continue;
    const members = connected.get(broker);
    writeKafka(
      sandbox,
      container,
      withoutMembers(
        datastore,
        (topic, group) => members?.has(membership({ topic, reads: { group } })) ?? false,
      ),
    );
  }
}

const membership = ({
  topic,
  reads,
}: {
  topic?: string | undefined;
  reads?: { group: string } | undefined;
}) => `${topic}/${reads?.group}`;

function write(route: Route, seconds: number): void {
  const { topic = "", reads } = route.call;
  const messages = route.rate * route.attempt.success * seconds;
  if (reads || messages <= 0) return;
  for (const { sandbox, container } of brokersOf(route))
    writeKafka(sandbox, container, written(kafkaState(sandbox, container), topic, messages));
}

/** A consumer takes one message after the other; what it cannot reach it does not read. Returns the brokers that it reaches. */
function read({ sandbox: own }: Station, route: Route, seconds: number): readonly Station[] {
  const { topic = "", reads } = route.call;
  if (!reads) return [];
  const eachMs = 1000 / reads.mostPerSecond + changedByFlags(route).delayMs;
  const messages = (1000 / eachMs) * seconds * route.attempt.success;
  if (messages <= 0) return [];
  const by = { group: reads.group, host: own.ip };
  const brokers = brokersOf(route);
  for (const { sandbox, container } of brokers)
    writeKafka(sandbox, container, consumed(kafkaState(sandbox, container), topic, by, messages));
  return brokers;
}

const brokersOf = (route: Route): Station[] =>
  usable(route).flatMap(({ station }) =>
    station?.container.behaviour?.runtime === "kafka" ? [station] : [],
  );
