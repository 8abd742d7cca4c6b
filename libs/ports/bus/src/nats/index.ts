export { connectNatsBus, type NatsBusOptions } from "./connect-nats-bus.ts";
