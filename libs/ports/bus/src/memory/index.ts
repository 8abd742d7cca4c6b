export { createMemoryBus, type MemoryBus, type MemoryBusOptions } from "./create-memory-bus.ts";
export { createMemoryBroker, type MemoryBroker, type MemoryBrokerOptions } from "./memory-broker.ts";
