import type { Logger, Rng } from "@microremed/core";
import type { EventRecorder } from "@microremed/sim-component-base";
import type { FileTree, Machine, Network, RunMainScript } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";
import type { ImageCatalog } from "./image-catalog.ts";
import type { IpPool } from "./ip-pool.ts";
import type { NodeStates } from "./node-states.ts";
import type { RunCommand } from "./run-command.ts";

/** What the kubelets of all nodes share. */
export interface KubeletContext {
  readonly store: Store;
  readonly loop: EventLoop;
  readonly rng: Rng;
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly machine: Machine;
  readonly network: Network;
  readonly images: ImageCatalog;
  readonly ips: IpPool;
  /** Images on each node's disk, `node/image`. */
  readonly pulled: Set<string>;
  /** Files of persistent volumes, by name: they outlive pods, and go with the volume that its provisioner made. */
  readonly volumes: Map<string, FileTree>;
  /** Runs commands that no environment knows. */
  readonly runCommand: RunCommand | undefined;
  /** Runs shells with a script that no environment knows. */
  readonly runMainScript: RunMainScript | undefined;
  readonly nodes: NodeStates;
  /** A token of the pod's service account that dies with the pod; undefined when there is no such account. */
  readonly issueToken:
    | ((pod: KubeObject, seconds: number, audience?: string) => string | undefined)
    | undefined;
  /** Address of a node by name. */
  hostIp(node: string): string;
}
