import type { Environment, ServiceSpec, WorkloadSpec } from "./format.ts";

type Labels = Readonly<Record<string, string>>;

/** The labels by which a workload finds its pods. */
export function selectorOf(name: string, { selector }: Pick<WorkloadSpec, "selector">): Labels {
  return selector ?? { app: name };
}

/** A selector as the API server takes it: `app=cart,tier=web`. */
export function selectorText(selector: Labels): string {
  return Object.entries(selector)
    .map(([label, value]) => `${label}=${value}`)
    .join(",");
}

/** The labels of the pods that a workload's template makes. */
export function podLabelsOf(
  environment: Pick<Environment, "name">,
  name: string,
  workload: WorkloadSpec,
): Labels {
  return {
    ...workload.labels,
    ...selectorOf(name, workload),
    "app.kubernetes.io/part-of": environment.name,
  };
}

/** Of every workload the pairs that its pods have: asked for each pod of each check, and the same for all. */
const selecting = new WeakMap<Environment["workloads"], readonly (readonly [string, [string, string][]])[]>();

function selectingPairs(workloads: Environment["workloads"]) {
  const known = selecting.get(workloads);
  if (known) return known;
  const pairs = Object.entries(workloads).map(
    ([name, workload]) => [name, Object.entries(selectorOf(name, workload))] as const,
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
  const labels = podLabelsOf(environment, target, workload);
  return Object.entries(environment.services).filter(([, { selector }]) =>
    maySelect(selector, labels, workload),
  );
}

/** The workloads whose pods a Service selects. */
export function workloadsBehind(environment: Environment, service: string): string[] {
  const spec = environment.services[service];
  if (!spec) return [];
  return Object.entries(environment.workloads).flatMap(([name, workload]) =>
    maySelect(spec.selector, podLabelsOf(environment, name, workload), workload) ? [name] : [],
  );
}

/** `role` is the one label that programs set on their own pods while they run. */
function maySelect(selector: Labels, labels: Labels, { permissions }: WorkloadSpec): boolean {
  return Object.keys(selector).every(
    (label) => labels[label] === selector[label] || (label === "role" && permissions.length > 0),
  );
}
