import { parseQuantity } from "@microremed/cluster";

type Quantities = Readonly<Record<string, string | undefined>>;

interface Resources {
  readonly limits?: Quantities;
  readonly requests?: Quantities;
}

/**
 * Whether a container has the limits and requests that its environment states, however they are written. What the
 * environment leaves open may be anything: limit ranges and webhooks of a cluster fill it in.
 */
export function hasResources(live: Resources = {}, { limits = {}, requests = {} }: Resources): boolean {
  return states(live.limits, limits) && states(live.requests, requests);
}

function states(live: Quantities = {}, wanted: Quantities): boolean {
  return Object.entries(wanted).every(([name, text]) => parseQuantity(live[name]) === parseQuantity(text));
}
