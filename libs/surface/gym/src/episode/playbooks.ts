import { createInProcessRunner } from "@microremed/ansible/in-process";
import type { Environment } from "@microremed/catalogue";
import type { ApiInProcess } from "@microremed/cluster/in-process";
import type { Logger } from "@microremed/core";
import type { ActDeps } from "@microremed/service-executor/act";
import { createLocalCluster, type LocalCluster } from "@microremed/simcluster";
import type { SystemNow } from "./open-system.ts";

/** The embedded cluster of a system. Its time goes on only while a caller waits for it. */
export interface SystemCluster extends Pick<LocalCluster, "snapshot" | "restore"> {
  readonly api: ApiInProcess;
  /** Bearer token of its administrator. */
  readonly adminToken: string;
  /** Cluster time, ms. */
  readonly now: () => number;
  close(): void | Promise<void>;
}

/** How playbooks are run, and on which clusters they can be. */
export interface Playbooks {
  open(environment: Environment, log: Logger): Promise<SystemCluster>;
  runner(system: SystemNow): ActDeps["runPlaybook"];
}

/** By an interpreter of the subset of Ansible that `@microremed/ansible` documents. */
export const interpreted: Playbooks = {
  async open(environment, log) {
    const api = createLocalCluster({ seed: 1, environments: [environment], ownPods: true, log });
    const { adminToken, snapshot, restore, now } = api;
    return { api, adminToken, snapshot, restore, now, close: () => api[Symbol.dispose]() };
  },
  runner: ({ clusters }) => createInProcessRunner(clusters.open),
};
