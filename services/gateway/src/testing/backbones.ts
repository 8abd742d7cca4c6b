import { createMemoryBroker, createMemoryBus } from "@microremed/bus/memory";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger } from "@microremed/core";
import { generatePasswords, startNatsServer, startRedisServer } from "@microremed/servers";
import { createMemoryState } from "@microremed/state/memory";
import { connectRedisState } from "@microremed/state/redis";
import type { Backbone } from "./a-gateway.ts";

/** Everything in this process. */
export async function inMemory(): Promise<Backbone> {
  const broker = createMemoryBroker();
  const state = createMemoryState();
  return {
    bus: createMemoryBus({ broker }),
    state,
    connect: async () => ({ bus: createMemoryBus({ broker }), state: state.connect() }),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

/** NATS and Redis with the users that a range has. */
export async function withServers(): Promise<Backbone> {
  await using started = new AsyncDisposableStack();
  const passwords = generatePasswords();
  const nats = started.use(await startNatsServer({ passwords }));
  const redis = started.use(await startRedisServer({ passwords }));
  const connectAs = async (user: "admin" | "gateway") => {
    const login = { servers: nats.url, user, password: passwords[user] };
    const url = new URL(redis.url);
    Object.assign(url, { username: user, password: passwords[user] });
    return {
      bus: await connectNatsBus({ ...login, name: "test", log: silentLogger }),
      state: await connectRedisState({ url: url.href, log: silentLogger }),
    };
  };
  const { bus, state } = await connectAs("admin");
  started.use(state);
  started.use(bus);
  await bus.ensureStreams();
  const owned = started.move();
  return {
    bus,
    state,
    connect: () => connectAs("gateway"),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
