import {
  type Environment,
  podLabelsOf,
  selectorOf,
  servicesOver,
  workloadsBehind,
} from "@microremed/catalogue";
import { type Container, type KubeObject, type Pod, parseQuantity, type Workload } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { leavesOf } from "./fields.ts";
import { ownersAmong } from "./owners.ts";

/** What a pod has that it should not have. */
export interface PodFinding {
  readonly pod: Pod;
  /** The declared workload that it is a pod of; undefined: of none. */
  readonly workload: string | undefined;
  readonly class: DamageClass;
  readonly what: "added" | "changed";
  readonly detail: string;
}

/** A finding in one line, to find it again. */
export const findingText = ({ pod, detail }: PodFinding): string => `Pod/${pod.metadata.name} ${detail}`;

type Labels = Readonly<Record<string, string>>;

/** Compares every running pod with the template of its workload, and finds pods that take the place of declared ones. */
export function podFindings(environment: Environment, objects: readonly KubeObject[]): PodFinding[] {
  const ownerOf = ownersAmong(objects);
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  return pods.flatMap((pod): PodFinding[] => {
    const workload = workloadOver(environment, pod, ownerOf);
    const name = workload?.metadata.name;
    const finding = (is: DamageClass, detail: string): PodFinding => ({
      pod,
      workload: name,
      class: is,
      what: "changed",
      detail,
    });
    const held = (pod.metadata.finalizers ?? [])
      .filter((name) => !isOfControllers(name))
      .map((name) => finding("breaks", `cannot end: it has the finalizer ${name}`));
    if (!isRunning(pod)) return held;
    const debugged = (pod.spec?.ephemeralContainers ?? []).map((one) =>
      finding("acts", `has the ephemeral container ${one.name}`),
    );
    if (!workload || name === undefined) {
      const place = placeTaken(environment, pod.metadata.labels ?? {});
      return place === undefined
        ? [...held, ...debugged]
        : [{ ...finding("breaks", place), what: "added" }, ...held, ...debugged];
    }
    const breaks = [
      ...labelProblems(environment, name, pod, workload),
      ...specProblems(pod, workload),
      ...strayServices(environment, name, pod.metadata.labels ?? {}),
    ];
    return [...breaks.map((detail) => finding("breaks", detail)), ...held, ...debugged];
  });
}

/** Controllers hold the pods of Jobs, and Chaos Mesh those that it acts on, until they have counted or restored them. */
const isOfControllers = (finalizer: string): boolean =>
  finalizer === "batch.kubernetes.io/job-tracking" || finalizer.startsWith("chaos-mesh");

function isRunning({ metadata, status }: Pod): boolean {
  return (
    metadata.deletionTimestamp === undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed"
  );
}

/** Follows the owners of a pod to a Deployment or StatefulSet that the environment declares. */
function workloadOver(
  { workloads }: Environment,
  pod: Pod,
  ownerOf: ReturnType<typeof ownersAmong>,
): Workload | undefined {
  const first = ownerOf(pod);
  const top = first?.kind === "ReplicaSet" ? ownerOf(first) : first;
  const isDeclared = top !== undefined && workloads[top.metadata.name]?.kind === top.kind;
  return isDeclared ? (top as Workload) : undefined;
}

/** What a pod without a declared workload would be taken for; undefined: nothing. */
export function placeTaken(environment: Environment, labels: Labels): string | undefined {
  const workload = Object.entries(environment.workloads).find(([name, one]) =>
    isSubset(selectorOf(name, one), labels),
  )?.[0];
  if (workload !== undefined) return `has the labels of ${workload} and is no pod of it`;
  const service = Object.entries(environment.services).find(([, { selector }]) =>
    isSubset(selector, labels),
  )?.[0];
  return service === undefined ? undefined : `is behind the Service ${service} and belongs to no workload`;
}

function labelProblems(environment: Environment, name: string, pod: Pod, workload: Workload): string[] {
  const spec = environment.workloads[name];
  const declared = spec ? podLabelsOf(environment, name, spec) : {};
  const wanted = { ...workload.spec?.template?.metadata?.labels, ...declared };
  const wrong = Object.entries(wanted).filter(
    ([label, value]) => pod.metadata.labels?.[label] !== value && !isOwnRole(environment, name, label),
  );
  return wrong.map(([label, value]) => `lacks the label ${label}=${value}`);
}

/** Programs that may write to the API server set the `role` of their own pods. */
const isOwnRole = ({ workloads }: Environment, name: string, label: string): boolean =>
  label === "role" && (workloads[name]?.permissions.length ?? 0) > 0;

/** Services that select the pod and were not declared to. */
function strayServices(environment: Environment, name: string, labels: Labels): string[] {
  const own = new Set(servicesOver(environment, name).map(([service]) => service));
  return Object.entries(environment.services)
    .filter(([service, { selector }]) => !own.has(service) && isSubset(selector, labels))
    .map(([service]) => `is behind the Service ${service} of ${workloadsBehind(environment, service)}`);
}

function specProblems({ spec }: Pod, workload: Workload): string[] {
  const template = workload.spec?.template?.spec;
  if (!spec || !template) return [];
  const problems = [...(template.initContainers ?? []), ...template.containers].flatMap((wanted) => {
    const all = [...(spec.initContainers ?? []), ...spec.containers];
    const running = all.find(({ name }) => name === wanted.name);
    return running ? containerProblems(wanted, running) : [`has no container ${wanted.name}`];
  });
  if (spec.activeDeadlineSeconds !== undefined && template.activeDeadlineSeconds === undefined)
    problems.push(`ends after ${spec.activeDeadlineSeconds} s`);
  return problems;
}

/** The cluster adds to what a template says; what the template says must be so. */
function containerProblems(wanted: Container, running: Container): string[] {
  const { resources: wantedResources, ...wantedRest } = wanted;
  const { resources, ...rest } = running;
  const leaves = leavesOf(rest);
  const differs = [...leavesOf(wantedRest)].flatMap(([key, { path, text }]) => {
    const is = leaves.get(key)?.text;
    if (is === text || ((text === "{}" || text === "[]") && is === undefined)) return [];
    return [`container ${wanted.name} has ${path.join(".")} ${is ?? "none"} instead of ${text}`];
  });
  const less = (["limits", "requests"] as const).flatMap((what) =>
    Object.entries(wantedResources?.[what] ?? {}).flatMap(([name, quantity]) => {
      const has = parseQuantity(resources?.[what]?.[name]);
      return has !== undefined && has >= (parseQuantity(quantity) ?? 0)
        ? []
        : [
            `container ${wanted.name} has a ${name} ${what.slice(0, -1)} of ${has ?? "none"}, not ${quantity}`,
          ];
    }),
  );
  return [...differs, ...less];
}

function isSubset(some: Labels, all: Labels): boolean {
  return Object.keys(some).length > 0 && Object.entries(some).every(([label, value]) => all[label] === value);
}
