import type { Pod } from "@microremed/cluster";
import { digestOfValue } from "./digest.ts";

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
    .map(({ name: _name, ...source }) => digestOfValue(sorted(source)));
}

/** An API server has an order of its own for the fields of what it reads. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, part]) => [name, sorted(part)]));
}
