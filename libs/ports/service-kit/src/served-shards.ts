/** The shards (clusters) whose requests are answered. */
export interface ServedShards extends AsyncDisposable {
  /** From now on answers requests of these. */
  follow(shards: readonly string[]): Promise<void>;
}

/** `serve` starts answering the requests of one shard; disposing ends it. */
export function createServedShards(serve: (shard: string) => Promise<AsyncDisposable>): ServedShards {
  const served = new Map<string, AsyncDisposable>();
  const follow = async (shards: readonly string[]): Promise<void> => {
    for (const shard of shards) if (!served.has(shard)) served.set(shard, await serve(shard));
    const left = [...served].filter(([shard]) => !shards.includes(shard));
    for (const [shard] of left) served.delete(shard);
    await Promise.all(left.map(([, one]) => one[Symbol.asyncDispose]()));
  };
  return { follow, [Symbol.asyncDispose]: () => follow([]) };
}
