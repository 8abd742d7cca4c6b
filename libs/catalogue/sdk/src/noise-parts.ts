import {
  hasCondition,
  isRefused,
  type Kind,
  type KubeObject,
  kinds,
  type Workload,
} from "@microremed/cluster";
import { waitFor } from "@microremed/core";
import { z } from "zod";
import type { ContainerSpec, Environment } from "./environment/environment.types.ts";
import { keepsData } from "./environment/keeps-data.ts";
import { selectorText } from "./environment/selectors.ts";
import { rolloutProblems } from "./measurements/rollout.ts";
import type { NoiseContext } from "./noise.ts";
import { waitingContainer } from "./workload-change/parts.ts";

/** Creates objects that a noise consists of; those that are there already are left as they are. */
export async function createOnce(
  { cluster, namespace }: Pick<NoiseContext, "cluster" | "namespace">,
  ...objects: readonly KubeObject[]
): Promise<void> {
  for (const object of objects) {
    try {
      await cluster.create({ ...object, metadata: { ...object.metadata, namespace } });
    } catch (error) {
      if (!isRefused(error, 409)) throw error;
    }
  }
}

/** Whether there is an object of that name. */
export const isThere = async (
  { cluster, namespace }: Pick<NoiseContext, "cluster" | "namespace">,
  kind: Kind,
  name: string,
): Promise<boolean> => (await cluster.get(kind, namespace, name)) !== undefined;

/** A parameter of noises: the name of such a container. */
export const containerName = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/);

/** A parameter of noises: what the name of an object has behind that of another. */
export const nameEnding = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);

/** A parameter of noises: the name of a label. */
export const labelName = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);

/** A small container of busybox that runs a shell script. */
export function scriptContainer(name: string, script: string): object {
  return {
    name,
    image: "busybox:1.35",
    command: ["sh", "-c", script],
    resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "50m", memory: "32Mi" } },
  };
}

/** Whether a Job has one of the conditions, and no pod that runs. */
export async function jobHas(
  { cluster, namespace }: Pick<NoiseContext, "cluster" | "namespace">,
  name: string,
  condition: "Complete" | "Failed",
): Promise<boolean> {
  const job = await cluster.get(kinds.job, namespace, name);
  const { active = 0 } = (job?.["status"] ?? {}) as { readonly active?: number };
  return job !== undefined && active === 0 && hasCondition(job, condition);
}

/** Names of the workloads that no operator makes: it would take a change of them back. */
export const declaredWorkloads = ({ workloads }: Environment): string[] =>
  Object.keys(workloads).filter((name) => workloads[name]?.operated === undefined);

/** Names of the Deployments that can be rolled out without harm: none keeps data, or what it keeps may get lost at any time. */
export function rollableDeployments(environment: Environment): string[] {
  return declaredWorkloads(environment).filter((name) => {
    const { kind, replicas = 0 } = environment.workloads[name] ?? {};
    return (
      kind === "Deployment" && replicas > 0 && (!keepsData(environment, name) || isCache(environment, name))
    );
  });
}

/** Those of them that keep no data at all: of noises that split it, and of those that published problems place by these. */
export const deploymentsWithoutData = (environment: Environment): string[] =>
  rollableDeployments(environment).filter((name) => !keepsData(environment, name));

/** Whether a workload keeps its data in memory alone, so that every node that is drained empties it. */
export function isCache({ workloads }: Environment, name: string): boolean {
  const { containers = [], volumes = {} } = workloads[name] ?? {};
  const runtimes: readonly string[] = containers.map(({ behaviour }) => behaviour.runtime);
  return (
    runtimes.some((one) => one === "redis" || one === "memcached") &&
    Object.values(volumes).every(({ type }) => type === "emptyDir")
  );
}

/** Those of them whose first container has such a probe. */
export const deploymentsWith =
  (probe: "readinessProbe" | "livenessProbe") =>
  (environment: Environment): string[] =>
    rollableDeployments(environment).filter(
      (name) => firstContainer(environment, name)?.[probe] !== undefined,
    );

/** Of a noise that changes a Deployment, most often by a rollout: on which, what it is about, and when it is over. */
export const onDeployment = {
  targets: rollableDeployments,
  decoys: ({ target }: Pick<NoiseContext, "target">) => [{ kind: "Deployment", name: target }],
  isSettled: (context: NoiseContext) => isRolledOut(context, context.target),
};

const workloadKinds = { Deployment: kinds.deployment, StatefulSet: kinds.statefulSet } as const;
type WorkloadKind = keyof typeof workloadKinds;

const kindOf = ({ workloads }: Environment, name: string): WorkloadKind | undefined => {
  const kind = workloads[name]?.kind;
  return kind === "Deployment" || kind === "StatefulSet" ? kind : undefined;
};

/** Of a noise that changes a workload and restarts no pod, so that it may also be on one that keeps data. */
export const onDeclaredWorkload = (...of: readonly WorkloadKind[]) => ({
  targets: (environment: Environment): string[] =>
    declaredWorkloads(environment).filter((name) => {
      const { kind, replicas = 0 } = environment.workloads[name] ?? {};
      return replicas > 0 && of.some((one) => one === kind);
    }),
  decoys: ({ environment, target }: Pick<NoiseContext, "environment" | "target">) => [
    { kind: kindOf(environment, target) ?? "Deployment", name: target },
  ],
  isSettled: (context: NoiseContext) =>
    isRolledOut(
      context,
      context.target,
      workloadKinds[kindOf(context.environment, context.target) ?? "Deployment"] as Kind<Workload>,
    ),
});

/** Gives fields of a workload's spec other values. */
export async function patchWorkload(
  { cluster, namespace, environment, target }: Place,
  spec: object,
): Promise<void> {
  const kind = workloadKinds[kindOf(environment, target) ?? "Deployment"];
  await cluster.patch(kind, namespace, target, { type: "merge", body: { spec } });
}

/** The container on which a noise acts, as it is declared. */
export function firstContainer({ workloads }: Environment, name: string): ContainerSpec | undefined {
  return workloads[name]?.containers[0];
}

type Place = Pick<NoiseContext, "cluster" | "namespace" | "environment" | "target">;

/** Gives fields of a Deployment's pods other values, by a strategic merge: it is rolled out. */
export async function patchTemplate({ cluster, namespace, target }: Place, spec: object): Promise<void> {
  const body = { spec: { template: { spec } } };
  await cluster.patch(kinds.deployment, namespace, target, { type: "strategic", body });
}

/** The same with the first container of the pods. */
export async function patchContainer(place: Place, fields: object): Promise<void> {
  const name = firstContainer(place.environment, place.target)?.name;
  await patchTemplate(place, { containers: [{ name, ...fields }] });
}

/** Whether the first container starts redis-server with what its arguments say, and not a script. */
export function startsRedis(environment: Environment, name: string): boolean {
  const { behaviour, command = [] } = firstContainer(environment, name) ?? {};
  return (
    behaviour?.runtime === "redis" && (command.length === 0 || /(^|\/)redis-server$/.test(command[0] ?? ""))
  );
}

/** Cluster time, ms, in which a harmless rollout ends. */
const rolloutMs = 150_000;

/** Waits until a rollout that a noise has begun is over, before it goes on. Throws when it takes too long. */
export const untilRolledOut = (context: Place & Pick<NoiseContext, "signal">): Promise<void> =>
  waitFor(
    {
      clock: context.cluster.clock,
      what: `the rollout of ${context.target} to end`,
      timeoutMs: rolloutMs,
      intervalMs: 1_000,
      ...(context.signal && { signal: context.signal }),
    },
    async () => ((await isRolledOut(context, context.target)) ? true : undefined),
  ).then(() => undefined);

/** Parameters of noises that give pods one more label. */
export const podLabel = {
  label: labelName.default("track").describe("label that the pods get; no other object has it"),
  value: nameEnding.default("stable").describe("its value"),
};

/** Gives the pods of a Deployment one more label: it is rolled out. */
export async function labelPods(
  context: Place & { readonly parameters: { readonly label: string; readonly value: string } },
): Promise<void> {
  const { cluster, namespace, target } = context;
  const { label, value } = context.parameters;
  const body = { spec: { template: { metadata: { labels: { [label]: value } } } } };
  await cluster.patch(kinds.deployment, namespace, target, { type: "strategic", body });
}

/** Makes a Service that leads nowhere, and an init container that waits until there is one of its name: it ends at once. */
export async function waitForNewService(
  context: Place,
  { container, service }: { readonly container: string; readonly service: string },
): Promise<void> {
  const spec = { ports: [{ port: 80, protocol: "TCP" }] };
  await createOnce(context, { ...kinds.service, metadata: { name: service }, spec });
  await patchTemplate(context, { initContainers: [waitingContainer(container, service)] });
}

/** Names of the Deployments that can be rolled out and have no init containers. */
export const withoutInitContainers = (environment: Environment): string[] =>
  rollableDeployments(environment).filter((name) => environment.workloads[name]?.initContainers.length === 0);

/** Name of the first empty directory of a workload; undefined: it has none, or other volumes too. */
export function firstEmptyVolume({ workloads }: Environment, name: string): string | undefined {
  const volumes = Object.entries(workloads[name]?.volumes ?? {});
  return volumes.every(([, { type }]) => type === "emptyDir") ? volumes[0]?.[0] : undefined;
}

/** Whether a workload has all of its replicas, each as its template says, and no others, also none that is about to end. */
export async function isRolledOut(
  { cluster, namespace }: Pick<NoiseContext, "cluster" | "namespace">,
  name: string,
  kind: Kind<Workload> = kinds.deployment,
): Promise<boolean> {
  const workload = await cluster.get(kind, namespace, name);
  if (workload === undefined || rolloutProblems(name, workload, 0).length > 0) return false;
  const labelSelector = selectorText(workload.spec?.selector?.matchLabels ?? {});
  // A fault that comes next would act on any of them.
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  return pods.every(({ metadata }) => metadata.deletionTimestamp === undefined);
}
