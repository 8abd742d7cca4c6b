import { type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { Bus, BusOptions } from "../bus.ts";
import { createBus } from "../create-bus.ts";
import { unreachable } from "../unreachable.ts";
import { type Link, type LinkOptions, openLink } from "./link.ts";
import { createNatsTransport } from "./nats-transport.ts";
import { untilAnswered } from "./until-answered.ts";

/** For the first answer of JetStream, ms; people wait for it at a terminal. */
const managerWithinMs = 15_000;

/** How to reach NATS, and what wraps what passes. */
export interface NatsBusOptions extends LinkOptions, BusOptions {}

/** Connects to NATS and reconnects for ever. Throws retryable `bus-unreachable` when the first try fails. */
export async function connectNatsBus(options: NatsBusOptions): Promise<Bus> {
  const link = await openLink(options);
  const client = jetstream(link.connection);
  const manager = await openManager(link);
  return createBus(createNatsTransport({ link, client, manager, log: options.log }), options);
}

async function openManager(link: Link): Promise<JetStreamManager> {
  try {
    return await untilAnswered(() => jetstreamManager(link.connection), managerWithinMs);
  } catch (cause) {
    await link.connection.close();
    throw unreachable("reaching JetStream (start nats-server with a `jetstream` block or -js)", cause);
  }
}
