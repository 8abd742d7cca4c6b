import { likelyNames, ownNamesOnly } from "@microremed/core";
import { unfitManifests } from "./check-manifests.ts";
import { checkReferences } from "./check-references.ts";
import type { Environment, JobSpec, ServiceSpec, WorkloadSpec } from "./environment.types.ts";
import type { Model, WorkloadModel } from "./format.ts";
import type { LoadSpec } from "./load-format.ts";
import type { Manifest } from "./manifest.ts";
import { inModel } from "./places.ts";
import { isJob, readJob } from "./read-job.ts";
import { repeated, strayNamespaces } from "./read-manifests.ts";
import { dataOf, readService } from "./read-services.ts";
import { isWorkload, readWorkload } from "./read-workload.ts";

/** What an environment is made of. */
export interface EnvironmentParts {
  readonly manifests: readonly Manifest[];
  /** What its own operators make. */
  readonly made: readonly Manifest[];
  readonly model: Model;
  readonly workload: LoadSpec;
}

const unmodelled: WorkloadModel = { containers: {}, calls: [] };

/** Reads manifests with their model; a list is what is wrong with them, a line each. */
export function makeEnvironment(parts: EnvironmentParts): Environment | string[] {
  const { manifests, made, model, workload } = parts;
  const { name, description, source, namespace = name } = model;
  const all = [...manifests, ...made];
  if (all.length === 0)
    return [
      "manifests: expected Kubernetes objects in files that end in .yaml, .yml or .json; there are none",
    ];
  // What is of no kind or no name is missed in the model, too.
  const unfit = unfitManifests(all);
  if (unfit.length > 0) return unfit;
  const problems = [...strayNamespaces(all, namespace), ...repeated(all)];
  const readAll = <T extends object>(some: readonly Manifest[], read: (one: Manifest) => T | string[]) => {
    const found: [string, T][] = [];
    for (const one of some) {
      const result = read(one);
      if (Array.isArray(result)) problems.push(...result);
      else found.push([one.metadata.name, result]);
    }
    return found;
  };
  const ofKind = (kind: string) => all.filter((one) => one.kind === kind);
  const workloads = readAll<WorkloadSpec>(inOrderOf(model, all.filter(isWorkload)), (one) =>
    readWorkload(one, modelOf(model, one.metadata.name), all),
  );
  problems.push(...twice(workloads), ...unknownIn(model, all.filter(isWorkload), new Map(workloads)));
  const jobs = readAll<JobSpec>(
    all.filter((one) => isJob(one) && Object.hasOwn(model.jobs, one.metadata.name)),
    (one) => readJob(one, model.jobs[one.metadata.name] ?? { containers: {}, calls: [] }),
  );
  problems.push(...unknownJobs(model, all), ...twice(jobs));
  const services = readAll<ServiceSpec>(ofKind("Service"), readService);
  const environment: Environment = {
    ...{ name, description, source, namespace, manifests, made, load: workload },
    targets:
      model.targets ?? workloads.filter(([, { kind }]) => kind !== "DaemonSet").map(([workload]) => workload),
    dataMounts: Object.fromEntries(
      Object.entries(model.workloads).flatMap(([one, { dataMount }]) =>
        dataMount === undefined ? [] : [[one, dataMount]],
      ),
    ),
    // Agents choose names that are sought in these: `constructor` is a good one for a Service, and must be found in none.
    workloads: ownNamesOnly(Object.fromEntries(workloads)),
    jobs: ownNamesOnly(Object.fromEntries(jobs)),
    services: ownNamesOnly(Object.fromEntries(services)),
    configMaps: ownNamesOnly(
      Object.fromEntries(ofKind("ConfigMap").map((one) => [one.metadata.name, dataOf(one)])),
    ),
    secrets: ownNamesOnly(
      Object.fromEntries(ofKind("Secret").map((one) => [one.metadata.name, dataOf(one)])),
    ),
  };
  if (problems.length > 0) return problems;
  const wrong = checkReferences(environment);
  return wrong.length > 0 ? wrong : environment;
}

const modelOf = ({ workloads }: Model, name: string): WorkloadModel =>
  Object.hasOwn(workloads, name) ? (workloads[name] ?? unmodelled) : unmodelled;

/** What is drawn follows the order of workloads, which is the model's to say. */
function inOrderOf({ workloads }: Model, manifests: readonly Manifest[]): Manifest[] {
  const order = new Map(Object.keys(workloads).map((name, index) => [name, index]));
  const turnOf = ({ metadata }: Manifest): number => order.get(metadata.name) ?? order.size;
  return manifests.toSorted((a, b) => turnOf(a) - turnOf(b));
}

function twice(workloads: readonly (readonly [string, { readonly kind: string }])[]): string[] {
  const byName = Map.groupBy(workloads, ([name]) => name);
  return [...byName].flatMap(([name, some]) =>
    new Set(some.map(([, { kind }]) => kind)).size > 1
      ? [`manifests: a ${some.map(([, { kind }]) => kind).join(" and a ")} have the name ${name}; rename one`]
      : [],
  );
}

function unknownJobs({ jobs }: Model, all: readonly Manifest[]): string[] {
  const known = all.filter(isJob).map(({ metadata }) => metadata.name);
  return Object.keys(jobs)
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `${inModel(`jobs.${name}`)}: the manifests have no Job or CronJob of this name; ${likelyNames(name, known)}`,
    );
}

/** Names in the model that no manifest has. `read`: the workloads whose manifests could be read. */
function unknownIn(
  { workloads }: Model,
  manifests: readonly Manifest[],
  read: ReadonlyMap<string, WorkloadSpec>,
): string[] {
  const known = manifests.map(({ metadata }) => metadata.name);
  return Object.entries(workloads).flatMap(([name, { containers }]) => {
    if (!known.includes(name))
      return [
        `${inModel(`workloads.${name}`)}: the manifests have no Deployment, StatefulSet or DaemonSet of this name; ${likelyNames(name, known)}`,
      ];
    const workload = read.get(name);
    if (!workload) return [];
    const own = [...workload.initContainers, ...workload.containers].map((one) => one.name);
    return Object.keys(containers).flatMap((container) =>
      own.includes(container)
        ? []
        : [
            `${inModel(`workloads.${name}.containers.${container}`)}: expected a container of its pods: ${own.join(", ")}`,
          ],
    );
  });
}
