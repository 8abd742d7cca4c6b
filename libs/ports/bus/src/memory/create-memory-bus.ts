import { silentLogger } from "@microremed/core";
import type { Bus, BusOptions } from "../bus.ts";
import { createBus } from "../create-bus.ts";
import { createMemoryBroker, type MemoryBroker } from "./memory-broker.ts";
import { createMemoryTransport } from "./memory-transport.ts";

/** The broker of a bus in memory, and what every bus may be given. */
export interface MemoryBusOptions extends Partial<BusOptions> {
  /** Buses over one broker hear of one another, as services do over NATS. Default: a broker of its own. */
  readonly broker?: MemoryBroker;
}

/** A bus within this process. */
export interface MemoryBus extends Bus {
  /** See `MemoryBroker`: of all that goes on over the broker. */
  idle: MemoryBroker["idle"];
}

/** The bus without a server: the same messages, deliveries and errors, in this process. Nothing outlives it. */
export function createMemoryBus({
  broker = createMemoryBroker(),
  ...options
}: MemoryBusOptions = {}): MemoryBus {
  const bus = createBus(createMemoryTransport(broker), { log: silentLogger, ...options });
  return {
    ...bus,
    get connected() {
      return bus.connected;
    },
    idle: broker.idle,
  };
}
