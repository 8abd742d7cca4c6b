/** What the process of an embedded cluster is sent, once. */
export interface ClusterWork {
  readonly name: string;
  readonly environments: readonly string[];
  readonly environmentsDir: string | undefined;
  /** Folders with entries of the user's own. */
  readonly catalogueDirs: readonly string[];
  readonly seed: number;
  readonly timeScale: number;
}

/** What it answers, once, when the cluster runs. */
export interface RunningCluster {
  readonly name: string;
  /** The admin's, as YAML text. */
  readonly kubeconfig: string;
  readonly clockUrl: string;
}
