import { withServers } from "./testing/backbones.ts";
import { testGateway } from "./testing/test-gateway.ts";

testGateway("NATS and Redis", withServers);
