import type { Environment } from "@microremed/environments";

/**
 * Callers before callees: a position for every workload. A cycle is cut at the call that closes it when workloads and
 * calls are followed in the file's order; requests on that call arrive one tick later.
 */
export function callOrder(environment: Environment): ReadonlyMap<string, number> {
  const state = new Map<string, "open" | "done">();
  const finished: string[] = [];
  const visit = (name: string): void => {
    if (state.has(name)) return;
    state.set(name, "open");
    for (const call of environment.workloads[name]?.calls ?? []) visit(call.to);
    state.set(name, "done");
    finished.push(name);
  };
  for (const name of Object.keys(environment.workloads)) visit(name);
  return new Map(finished.reverse().map((name, index) => [name, index]));
}
