import type { RedisLink } from "./redis-link.ts";

/** The wall clock of Redis, ms since the epoch, as every process that uses it sees it. */
export interface ServerClock extends Disposable {
  now(): number;
}

/** How often it is compared with Redis's own, ms. */
const compareEveryMs = 10_000;

/**
 * What is decided by time must not depend on which process decides it: between two readings of Redis's clock it goes on by
 * this process's monotonic clock, so that a wrong or jumping clock of a machine changes nothing.
 */
export async function startServerClock(redis: RedisLink): Promise<ServerClock> {
  let ahead = 0;
  const compare = async (): Promise<void> => {
    const askedAt = performance.now();
    const [seconds, micros] = await redis.use("asking for the time", (client) => client.time());
    const at = (askedAt + performance.now()) / 2;
    ahead = Number(seconds) * 1000 + Number(micros) / 1000 - at;
  };
  await compare();
  const timer = setInterval(() => void compare().catch(() => undefined), compareEveryMs);
  return {
    now: () => Math.floor(performance.now() + ahead),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
