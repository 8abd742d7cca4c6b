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

/** The workload whose pods have these labels; undefined: none of the environment's. */
export function workloadOfPod(environment: Environment, labels: Labels = {}): string | undefined {
  return Object.entries(environment.workloads).find(([name, workload]) =>
    isSubset(selectorOf(name, workload), labels),
  )?.[0];
}

/** The Services that select the pods of a workload, or may once a program has set the `role` of its own pod. */
export function servicesOver(environment: Environment, target: string): [string, ServiceSpec][] {
  const workload = environment.workloads[target];
  if (!workload) return [];
  return Object.entries(environment.services).filter(([, { selector }]) =>
    maySelect(environment, selector, target, workload),
  );
}

/** The workloads whose pods a Service selects. */
export function workloadsBehind(environment: Environment, service: string): string[] {
  const spec = environment.services[service];
  if (!spec) return [];
  return Object.entries(environment.workloads).flatMap(([name, workload]) =>
    maySelect(environment, spec.selector, name, workload) ? [name] : [],
  );
}

/** `role` is the one label that programs set on their own pods while they run. */
function maySelect(
  environment: Environment,
  selector: Labels,
  name: string,
  workload: WorkloadSpec,
): boolean {
  const labels = podLabelsOf(environment, name, workload);
  return Object.entries(selector).every(
    ([label, value]) => labels[label] === value || (label === "role" && workload.permissions.length > 0),
  );
}

function isSubset(some: Labels, all: Labels): boolean {
  return Object.entries(some).every(([label, value]) => all[label] === value);
}
