import type { RedisLink } from "../redis/redis-link.ts";
import { createScripts } from "../redis/scripts.ts";

/** A connection to a real Redis whose clock advances only when the test advances it. */
export interface TimedRedis {
  readonly link: RedisLink;
  pass(ms: number): Promise<void>;
  /** Deletes all keys of the prefix. */
  clear(): Promise<void>;
}

/** `now`: wall clock, ms, to the microsecond; `prefix`: of the keys that grow older when time passes. */
export function timedRedis(redis: RedisLink, now: () => number, prefix: string): TimedRedis {
  const scripts = createScripts();
  const time = (): [string, string] => {
    const micros = Math.round(now() * 1000);
    return [String(Math.floor(micros / 1_000_000)), String(micros % 1_000_000)];
  };
  const link: RedisLink = {
    get connected() {
      return redis.connected;
    },
    onLost: redis.onLost,
    use: (doing, work) =>
      redis.use(doing, (client) => {
        const get = (target: typeof client, name: string | symbol) => {
          if (name === "time") return async () => time();
          const member: unknown = Reflect.get(target, name);
          return typeof member === "function" ? member.bind(target) : member;
        };
        return work(new Proxy(client, { get }));
      }),
    run: (script, keys, args) =>
      redis.use(script, (client) => {
        const text = clockOf(time()) + scripts.load(script).text;
        return client.eval(text, keys.length, ...keys, ...args);
      }),
    [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose](),
  };
  return { link, pass: (ms) => age(redis, prefix, ms), clear: () => clear(redis, prefix) };
}

/** Put before a script, it answers TIME. */
function clockOf([seconds, micros]: [string, string]): string {
  const answer = `if name == 'TIME' then return { '${seconds}', '${micros}' } end`;
  return `local redis = { call = function(name, ...) ${answer} return redis.call(name, ...) end }\n`;
}

/** What expires does so by Redis's own clock, which cannot be moved: its time left is shortened. */
async function age(redis: RedisLink, prefix: string, ms: number): Promise<void> {
  await redis.use("letting time pass", async (client) => {
    for (const key of await client.keys(`${prefix}*`)) {
      const left = await client.pttl(key);
      if (left < 0) continue;
      if (left <= ms) await client.del(key);
      else await client.pexpire(key, Math.ceil(left - ms));
    }
  });
}

async function clear(redis: RedisLink, prefix: string): Promise<void> {
  await redis.use("deleting keys", async (client) => {
    const keys = await client.keys(`${prefix}*`);
    if (keys.length > 0) await client.del(...keys);
  });
}
