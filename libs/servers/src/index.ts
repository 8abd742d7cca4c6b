export { freePort } from "./free-port.ts";
export { type NatsServerOptions, startNatsServer } from "./nats-server.ts";
export { type RedisServerOptions, startRedisServer } from "./redis-server.ts";
export type { RunningServer } from "./server-process.ts";
export { type SupervisedServer, superviseServer } from "./supervise-server.ts";
export { endProcess, type OrphanGuard, whenOrphaned } from "./when-orphaned.ts";
