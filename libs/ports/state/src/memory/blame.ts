/** What has failed on a cluster since something last went well there, with weights; each thing once. */
export type Blame = ReadonlyMap<string, number>;

/** Counts a failure; `reached`: with it the weights have reached the limit. */
export function addBlame(
  blame: Blame,
  { key, weight }: { readonly key: string; readonly weight: number },
  limit: number,
): { readonly blame: Blame; readonly reached: boolean } {
  const next = new Map(blame).set(key, weight);
  const sum = next.values().reduce((total, one) => total + one, 0);
  return { blame: next, reached: sum >= limit };
}
