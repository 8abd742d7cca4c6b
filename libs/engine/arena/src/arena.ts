import type { Environment } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import type { Arena } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";

/** One deployment of an environment in one namespace, as the injector works on it. */
export interface ArenaContext {
  readonly cluster: Cluster;
  /** Identity of the range that works on it. */
  readonly range: string;
  readonly namespace: string;
  /** The lease under which this is done. */
  readonly lease: Pick<Arena, "slot" | "fence">;
  readonly environment: Environment;
  /** The faults that may be injected, what judges them, and the noises. */
  readonly catalogue: Pick<Catalogue, "faults" | "noises" | "oracles">;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Throws `stale-lease` when the arena has a new lease by now; called before everything that changes it. */
  readonly assertLease: () => Promise<void>;
}
