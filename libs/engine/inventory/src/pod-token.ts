import type { Pod } from "@microremed/cluster";
import { digestOfValue } from "./digest.ts";
import { sortKeys } from "./normalise.ts";

/** The volume in which the cluster gives each pod the token of its account. */
export const tokenVolume = /^kube-api-access-/;

interface NamedVolume {
  readonly name: string;
}

/** What such volumes of a pod hold, whatever their names. */
export function tokensOf({ spec }: Pod): string[] {
  const { volumes = [] } = (spec ?? {}) as { readonly volumes?: readonly NamedVolume[] };
  return volumes
    .filter(({ name }) => tokenVolume.test(name))
    .map(({ name: _name, ...source }) => digestOfValue(sortKeys(source)));
}
