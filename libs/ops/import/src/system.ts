import {
  dataOf,
  isWorkload,
  type Manifest,
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
  readonly services: ReadonlyMap<string, ServiceSpec>;
  readonly configMaps: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly secrets: ReadonlyMap<string, Readonly<Record<string, string>>>;
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
  const system: System = {
    namespace,
    manifests,
    workloads: read(manifests.filter(isWorkload), (one) =>
      readWorkload(one, { containers: {}, calls: [] }, manifests),
    ),
    services: read(ofKind("Service"), readService),
    configMaps: read(ofKind("ConfigMap"), dataOf),
    secrets: read(ofKind("Secret"), dataOf),
  };
  return { system, problems };
}

/** The workloads whose pods a Service selects. */
export function behind({ workloads, services }: System, service: string): string[] {
  const selector = Object.entries(services.get(service)?.selector ?? {});
  if (selector.length === 0) return [];
  return [...workloads].flatMap(([name, { labels }]) =>
    selector.every(([label, value]) => labels[label] === value) ? [name] : [],
  );
}
