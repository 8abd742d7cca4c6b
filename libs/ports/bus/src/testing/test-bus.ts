import { afterAll, beforeAll, describe } from "vitest";
import type { Bus } from "../bus.ts";
import type { BusUnderTest, SuiteContext } from "./bus-under-test.ts";
import { testConsuming } from "./test-consuming.ts";
import { testDeadLetters } from "./test-dead-letters.ts";
import { testEvents } from "./test-events.ts";
import { testLogs } from "./test-logs.ts";
import { testPublishing } from "./test-publishing.ts";
import { testRequests } from "./test-requests.ts";
import { testSettling } from "./test-settling.ts";
import { testSharing } from "./test-sharing.ts";

/** What every driver of the bus does, seen through its interface. `create` is called once. */
export function testBus(name: string, create: () => Promise<BusUnderTest>): void {
  describe(name, () => {
    let under: BusUnderTest;
    let bus: Bus;
    beforeAll(async () => {
      under = await create();
      bus = await under.connect();
      await bus.ensureStreams();
    });
    afterAll(async () => {
      await bus[Symbol.asyncDispose]();
      await under[Symbol.asyncDispose]();
    });
    const context: SuiteContext = {
      bus: () => bus,
      connect: (options) => under.connect(options),
      storeRaw: (subject, data) => under.storeRaw(subject, data),
    };
    testPublishing(context);
    testConsuming(context);
    testSharing(context);
    testSettling(context);
    testDeadLetters(context);
    testRequests(context);
    testEvents(context);
    testLogs(context);
  });
}
