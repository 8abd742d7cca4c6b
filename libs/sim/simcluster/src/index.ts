export { type SimCluster, type SimClusterOptions, startSimCluster } from "./cluster.ts";
export type { EventLoop } from "./event-loop.types.ts";
export type { Machine } from "./machine.ts";
export type { KubeObject } from "./objects.ts";
export type { Store } from "./store.types.ts";
export { createWorld, type Snapshot, type World, type WorldOptions } from "./world.ts";
