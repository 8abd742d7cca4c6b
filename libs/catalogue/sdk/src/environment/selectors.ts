import type { Environment, ServiceSpec, WorkloadSpec } from "./environment.types.ts";
import { serviceOfHost } from "./service-of-host.ts";

type Labels = Readonly<Record<string, string>>;

/** A selector as the API server takes it: `app=cart,tier=web`. */
export function selectorText(selector: Labels): string {
  return Object.entries(selector)
    .map(([label, value]) => `${label}=${value}`)
    .join(",");
}

/** Of every workload the pairs that its pods have: asked for each pod of each check, and the same for all. */
const selecting = new WeakMap<Environment["workloads"], readonly (readonly [string, [string, string][]])[]>();

function selectingPairs(workloads: Environment["workloads"]) {
  const known = selecting.get(workloads);
  if (known) return known;
  const pairs = Object.entries(workloads).map(
    ([name, { selector }]) => [name, Object.entries(selector)] as const,
  );
  selecting.set(workloads, pairs);
  return pairs;
}

/** The workload whose pods have these labels; undefined: none of the environment's. */
export function workloadOfPod({ workloads }: Environment, labels: Labels = {}): string | undefined {
  return selectingPairs(workloads).find(([, pairs]) =>
    pairs.every(([label, value]) => labels[label] === value),
  )?.[0];
}

/** The Services that select the pods of a workload, or may once a program has set the `role` of its own pod. */
export function servicesOver(environment: Environment, target: string): [string, ServiceSpec][] {
  const workload = environment.workloads[target];
  if (!workload) return [];
  return Object.entries(environment.services).filter(([, { selector }]) => maySelect(selector, workload));
}

/** The workloads whose pods a Service selects. */
export function workloadsBehind(environment: Environment, service: string): string[] {
  const spec = environment.services[service];
  if (!spec) return [];
  return Object.entries(environment.workloads).flatMap(([name, workload]) =>
    maySelect(spec.selector, workload) ? [name] : [],
  );
}

/** The workload that receives the load from outside; undefined: no pods are behind its Service. */
export function workloadAtEntry(environment: Environment): string | undefined {
  const service = serviceOfHost(environment, environment.load.entry.split(":")[0] ?? "");
  return service === undefined ? undefined : workloadsBehind(environment, service)[0];
}

/** `role` is the one label that programs set on their own pods while they run. */
function maySelect(selector: Labels, { labels, permissions }: WorkloadSpec): boolean {
  const wanted = Object.keys(selector);
  return (
    wanted.length > 0 &&
    wanted.every(
      (label) => labels[label] === selector[label] || (label === "role" && mayLabelPods(permissions)),
    )
  );
}

/** Whether programs may write the labels of pods, such as their own. */
export const mayLabelPods = (permissions: WorkloadSpec["permissions"]): boolean =>
  permissions.some(
    ({ resources, verbs }) =>
      resources.some((one) => one === "pods" || one === "*") &&
      verbs.some((one) => one === "patch" || one === "update" || one === "*"),
  );
