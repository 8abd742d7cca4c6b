export type { Machine } from "@microremed/sim-machine";
export type { KubeObject } from "@microremed/sim-objects";
export type { Store } from "@microremed/sim-store";
export type { EventLoop } from "@microremed/sim-time";
export { type SimCluster, type SimClusterOptions, startSimCluster } from "./cluster.ts";
export { createLocalCluster, type LocalCluster, type LocalClusterOptions } from "./local-cluster.ts";
export type { Snapshot } from "./moments.ts";
export { createWorld, type World, type WorldOptions } from "./world.ts";
