/** The configuration of a worker thread. */
export interface ClusterWork {
  readonly names: readonly string[];
  readonly environments: readonly string[];
  readonly environmentsDir: string | undefined;
  /** Folders with entries of the user's own. */
  readonly catalogueDirs: readonly string[];
  readonly seed: number;
  readonly timeScale: number;
}

/** One cluster that runs in it; the answer holds all of them, in the order of `names`. */
export interface RunningCluster {
  readonly name: string;
  /** The admin's, as YAML text. */
  readonly kubeconfig: string;
  readonly clockUrl: string;
}
