export { type GatewayConfig, gatewayConfig } from "./config.ts";
export { type Gateway, type GatewayDeps, startGateway } from "./service.ts";
