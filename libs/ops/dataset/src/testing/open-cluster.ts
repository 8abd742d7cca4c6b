import { createInProcessCluster } from "@microremed/cluster/in-process";
import { createLocalCluster } from "@microremed/simcluster";
import type { OpenCluster } from "../run-case.ts";

/** An embedded cluster of a case's own. */
export const openCluster: OpenCluster = ({ seed, startAt, environment, metricsEveryMs }) => {
  const api = createLocalCluster({ seed, startAt, environments: [environment], metricsEveryMs });
  const cluster = createInProcessCluster(api, { name: "embedded", token: api.adminToken });
  return { cluster, [Symbol.asyncDispose]: async () => api[Symbol.dispose]() };
};
