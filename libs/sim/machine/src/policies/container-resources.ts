import { isJsonObject } from "@microremed/core";
import { parseQuantity } from "@microremed/kube-rules";

/** What the policy allows of one resource, and what it fills in. Quantities as Kubernetes writes them. */
interface Bounds {
  readonly defaultRequest?: string;
  readonly defaultLimit?: string;
  readonly maxLimit?: string;
  /** Limits and requests must be there, whatever they are. */
  readonly ignoreValues?: boolean;
}

/** Settings of Kubewarden's policy `container-resources`. */
export interface ResourceSettings {
  readonly cpu?: Bounds;
  readonly memory?: Bounds;
  readonly ignoreImages?: readonly string[];
}

type Quantities = Readonly<Record<string, string>>;
interface Container {
  readonly image?: string;
  readonly resources?: { readonly limits?: Quantities; readonly requests?: Quantities };
}

/** What the policy makes of a pod: why it refuses it, or the operations of a JSON patch. */
export type ResourceReview = { readonly refused: string } | { readonly patch: readonly object[] };

const names = ["memory", "cpu"] as const;
const isZero = (text: string | undefined): boolean => (parseQuantity(text) ?? 0) === 0;

/** Why these cannot be the policy's settings, in its words; undefined: they can. */
export function settingsProblem(settings: ResourceSettings): string | undefined {
  if (!settings.cpu && !settings.memory)
    return "no settings provided. At least one resource limit or request must be verified";
  for (const name of names) {
    const problem = settings[name] && boundsProblem(settings[name]);
    if (problem !== undefined) return `invalid ${name} settings\n${problem}`;
  }
  return undefined;
}

function boundsProblem({ maxLimit, defaultLimit, defaultRequest, ignoreValues }: Bounds): string | undefined {
  const given = [maxLimit, defaultLimit, defaultRequest];
  const areNone = given.every(isZero);
  if (ignoreValues)
    return areNone ? undefined : "ignoreValues cannot be true when any quantities are defined";
  if (areNone) return "all the quantities must be defined";
  const [most = 0, ...defaults] = given.map((one) => parseQuantity(one) ?? 0);
  return defaults.some((one) => one > most)
    ? "default values cannot be greater than the max limit"
    : undefined;
}

/**
 * Fills in limits and requests of a pod's containers where there are none, and refuses limits that are too high. `at`: JSON pointer to
 * the pod's specification in what is reviewed.
 */
export function reviewResources(settings: ResourceSettings, spec: unknown, at: string): ResourceReview {
  const containers = isJsonObject(spec) && Array.isArray(spec["containers"]) ? spec["containers"] : [];
  const patch: object[] = [];
  for (const [index, container] of (containers as readonly Container[]).entries()) {
    if (isIgnored(container, settings)) continue;
    const filled = filledIn(settings, container);
    if (typeof filled === "string") return { refused: filled };
    if (filled) patch.push({ op: "add", path: `${at}/containers/${index}/resources`, value: filled });
  }
  return { patch };
}

const isIgnored = ({ image = "" }: Container, { ignoreImages = [] }: ResourceSettings): boolean =>
  ignoreImages.some((one) => (one.endsWith("*") ? image.startsWith(one.slice(0, -1)) : image === one));

/** Its resources as the policy wants them; undefined: as they are; a text: why they are refused. */
function filledIn(settings: ResourceSettings, { resources = {} }: Container): object | string | undefined {
  const limits: Record<string, string> = { ...resources.limits };
  const requests: Record<string, string> = { ...resources.requests };
  for (const name of names) {
    const bounds = settings[name];
    if (!bounds) continue;
    if (bounds.ignoreValues) {
      const missing = limits[name] === undefined ? "limit" : requests[name] === undefined ? "request" : "";
      if (missing !== "") return `container does not have a ${name} ${missing}`;
      continue;
    }
    const limit = limits[name];
    if (limit !== undefined && (parseQuantity(limit) ?? 0) > (parseQuantity(bounds.maxLimit) ?? 0))
      return `${name} limit '${limit}' exceeds the max allowed value '${bounds.maxLimit ?? "0"}'`;
    if (limit === undefined && bounds.defaultLimit !== undefined && !isZero(bounds.defaultLimit))
      limits[name] = bounds.defaultLimit;
    if (requests[name] === undefined && bounds.defaultRequest !== undefined && !isZero(bounds.defaultRequest))
      requests[name] = bounds.defaultRequest;
  }
  const isSame = [
    [limits, resources.limits],
    [requests, resources.requests],
  ].every(([now = {}, before = {}]) => Object.keys(now).length === Object.keys(before).length);
  if (isSame) return undefined;
  return {
    ...resources,
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(requests).length > 0 && { requests }),
  };
}
