import type { Cluster } from "@microremed/cluster";
import type { ExecStream, ExecStreamOptions } from "@microremed/cluster/kubeconfig";

/** The cluster on which runner pods are made. */
export interface RunnerHost {
  readonly cluster: Pick<Cluster, "create" | "get" | "list" | "patch" | "delete">;
  openExec(options: ExecStreamOptions): Promise<ExecStream>;
}
