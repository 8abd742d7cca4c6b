/** The clusters whose probes are answered. */
export interface ServedProbes extends AsyncDisposable {
  /** From now on answers probes of these clusters. */
  follow(clusters: readonly string[]): Promise<void>;
}

/** `serve` starts answering the probes of one cluster; disposing ends it. */
export function createServedProbes(serve: (cluster: string) => Promise<AsyncDisposable>): ServedProbes {
  const served = new Map<string, AsyncDisposable>();
  const follow = async (clusters: readonly string[]): Promise<void> => {
    for (const cluster of clusters) if (!served.has(cluster)) served.set(cluster, await serve(cluster));
    const left = [...served].filter(([cluster]) => !clusters.includes(cluster));
    for (const [cluster] of left) served.delete(cluster);
    await Promise.all(left.map(([, one]) => one[Symbol.asyncDispose]()));
  };
  return { follow, [Symbol.asyncDispose]: () => follow([]) };
}
