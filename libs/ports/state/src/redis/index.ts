export { connectRedisState, type RedisStateOptions } from "./connect-redis-state.ts";
