import {
  dataOf,
  isJob,
  isWorkload,
  type JobPods,
  type Manifest,
  readJobPods,
  readService,
  readWorkload,
  type ServiceSpec,
  type WorkloadSpec,
} from "@microremed/catalogue/environment";

/** What is read of a system's manifests before anything is known of its programs. */
export interface System {
  readonly namespace: string;
  readonly manifests: readonly Manifest[];
  readonly workloads: ReadonlyMap<string, WorkloadSpec>;
  readonly jobs: ReadonlyMap<string, JobPods>;
  readonly services: ReadonlyMap<string, ServiceSpec>;
  readonly configMaps: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly secrets: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** The workloads whose pods a Service selects, by its name. */
  readonly behind: ReadonlyMap<string, readonly string[]>;
  /** The Services that select a workload's pods, by its name. */
  readonly over: ReadonlyMap<string, readonly string[]>;
}

/** Reads manifests; `problems`: what cannot be read, a line each. */
export function systemOf(
  namespace: string,
  manifests: readonly Manifest[],
): { readonly system: System; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const read = <T extends object>(
    some: readonly Manifest[],
    how: (one: Manifest) => T | string[],
  ): Map<string, T> => {
    const found = new Map<string, T>();
    for (const one of some) {
      const made = how(one);
      if (Array.isArray(made)) problems.push(...made);
      else found.set(one.metadata.name, made);
    }
    return found;
  };
  const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind);
  const workloads = read(manifests.filter(isWorkload), (one) =>
    readWorkload(one, { containers: {}, calls: [] }, manifests),
  );
  const jobs = read(manifests.filter(isJob), (one) => readJobPods(one, manifests));
  const services = read(ofKind("Service"), readService);
  const system: System = {
    namespace,
    manifests,
    workloads,
    jobs,
    services,
    configMaps: read(ofKind("ConfigMap"), dataOf),
    secrets: read(ofKind("Secret"), dataOf),
    ...selected(workloads, services),
  };
  return { system, problems };
}

/** Which Services are over which workloads. Of a selector only the workloads with its rarest label are read. */
function selected(
  workloads: System["workloads"],
  services: System["services"],
): Pick<System, "behind" | "over"> {
  const labelled = new Map<string, string[]>();
  for (const [name, { labels }] of workloads)
    for (const [label, value] of Object.entries(labels)) listAt(labelled, `${label}=${value}`).push(name);
  const behind = new Map<string, string[]>();
  const over = new Map<string, string[]>();
  for (const [service, { selector }] of services) {
    const wanted = Object.entries(selector);
    const [rarest = []] = wanted
      .map(([label, value]) => labelled.get(`${label}=${value}`) ?? [])
      .toSorted((a, b) => a.length - b.length);
    const names = rarest.filter((name) =>
      wanted.every(([label, value]) => workloads.get(name)?.labels[label] === value),
    );
    behind.set(service, names);
    for (const name of names) listAt(over, name).push(service);
  }
  return { behind, over };
}

function listAt(lists: Map<string, string[]>, key: string): string[] {
  const known = lists.get(key);
  if (known) return known;
  const made: string[] = [];
  lists.set(key, made);
  return made;
}

/** The workloads whose pods a Service selects. */
export const behind = (system: System, service: string): readonly string[] =>
  system.behind.get(service) ?? [];

/** The Services that select a workload's pods, in the order of the manifests. */
export const over = (system: System, workload: string): readonly string[] => system.over.get(workload) ?? [];
