import { testBus } from "../testing/index.ts";
import { createMemoryBroker, createMemoryBus } from "./index.ts";

testBus("the memory bus", async () => {
  const broker = createMemoryBroker();
  return {
    connect: async (options) => createMemoryBus({ broker, ...options }),
    storeRaw: async (subject, data) => broker.store({ subject, data, headers: {} }),
    [Symbol.asyncDispose]: async () => {},
  };
});
