import { afterAll, beforeAll, describe } from "vitest";
import { aGateway, type Backbone, type GatewayUnderTest } from "./a-gateway.ts";
import { testAccess } from "./test-access.ts";
import { testEvents } from "./test-events.ts";
import { testExperiments } from "./test-experiments.ts";
import { testHostile } from "./test-hostile.ts";
import { testMcpErrors } from "./test-mcp-errors.ts";
import { testSessions } from "./test-sessions.ts";

/** What the parts of the suite share. */
export interface GatewaySuite {
  readonly backbone: () => Backbone;
  readonly gateway: () => GatewayUnderTest;
}

/** What a gateway does, whatever its bus and its state are. */
export function testGateway(name: string, open: () => Promise<Backbone>): void {
  describe(`the gateway over ${name}`, () => {
    let backbone: Backbone;
    let gateway: GatewayUnderTest;
    beforeAll(async () => {
      backbone = await open();
      gateway = await aGateway(backbone);
    });
    afterAll(async () => {
      await gateway[Symbol.asyncDispose]();
      await backbone[Symbol.asyncDispose]();
    });
    const suite: GatewaySuite = { backbone: () => backbone, gateway: () => gateway };
    testAccess(suite);
    testExperiments(suite);
    testEvents(suite);
    testMcpErrors(suite);
    testSessions(suite);
    testHostile(suite);
  });
}
