import { inMemory } from "./testing/backbones.ts";
import { testGateway } from "./testing/test-gateway.ts";

testGateway("a bus and a state in memory", inMemory);
