import { createInProcessRunner } from "@microremed/ansible/in-process";
import type { Environment } from "@microremed/catalogue";
import type { ApiInProcess, InProcessClusters } from "@microremed/cluster/in-process";
import type { Logger } from "@microremed/core";
import type { ActDeps } from "@microremed/service-executor/act";
import { createLocalCluster, type LocalCluster } from "@microremed/simcluster";

/** The embedded cluster of a system. Its time goes on only while a caller waits for it. */
export interface SystemCluster extends Pick<LocalCluster, "snapshot" | "restore"> {
  readonly api: ApiInProcess;
  /** Bearer token of its administrator. */
  readonly adminToken: string;
  /** Cluster time, ms. */
  readonly now: () => number;
  /** What runs playbooks on it. `clusters`: a connection to it. */
  runner(clusters: InProcessClusters): ActDeps["runPlaybook"];
  close(): void | Promise<void>;
}

/** How playbooks are run: on clusters on which they can be. */
export interface Playbooks {
  open(environment: Environment, log: Logger): Promise<SystemCluster>;
}

/** By an interpreter of the subset of Ansible that `@microremed/ansible` documents. */
export const interpreted: Playbooks = {
  async open(environment, log) {
    const api = createLocalCluster({ seed: 1, environments: [environment], ownPods: true, log });
    const { adminToken, snapshot, restore, now } = api;
    return {
      ...{ api, adminToken, snapshot, restore, now },
      runner: (clusters) => createInProcessRunner(clusters.open),
      close: () => api[Symbol.dispose](),
    };
  },
};
