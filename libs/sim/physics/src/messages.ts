import { consumed, kafkaState, written } from "@microremed/sim-machine";
import { changedByFlags } from "./active-flags.ts";
import { isUp } from "./container-state.ts";
import type { Route, Station } from "./topology.ts";
import { usable } from "./traffic.ts";

/** Moves messages through brokers: what programs write in these seconds, and what consumer groups read of it. */
export function moveMessages(stations: readonly Station[], seconds: number): void {
  for (const station of stations)
    for (const route of station.routes) if (route.call.topic !== undefined) write(route, seconds);
  for (const station of stations)
    if (isUp(station.container))
      for (const route of station.routes) if (route.call.topic !== undefined) read(station, route, seconds);
}

function write(route: Route, seconds: number): void {
  const { topic = "", reads } = route.call;
  const messages = route.rate * route.attempt.success * seconds;
  if (reads || messages <= 0) return;
  for (const { container } of brokersOf(route))
    container.datastore = written(kafkaState(container), topic, messages);
}

/** A consumer takes one message after the other; what it cannot reach it does not read. */
function read({ sandbox }: Station, route: Route, seconds: number): void {
  const { topic = "", reads } = route.call;
  if (!reads) return;
  const eachMs = 1000 / reads.mostPerSecond + changedByFlags(route).delayMs;
  const messages = (1000 / eachMs) * seconds * route.attempt.success;
  if (messages <= 0) return;
  const by = { group: reads.group, host: sandbox.ip };
  for (const { container } of brokersOf(route))
    container.datastore = consumed(kafkaState(container), topic, by, messages);
}

const brokersOf = (route: Route): Station[] =>
  usable(route).flatMap(({ station }) =>
    station?.container.behaviour?.runtime === "kafka" ? [station] : [],
  );
